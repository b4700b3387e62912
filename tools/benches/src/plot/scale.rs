//! Maps values to positions on a logarithmic scale.

/// A logarithmic scale: as far from 1 to 10 as from 10 to 100.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scale {
    low: f64,
    high: f64,
    start: f64,
    end: f64,
}

impl Scale {
    /// A scale for these positive values between two positions, with a margin at both ends.
    pub(super) fn new(values: impl Iterator<Item = f64>, [start, end]: [f64; 2]) -> Scale {
        let positive = values.filter(|value| value.is_finite() && *value > 0.0);
        let (low, high) = positive.fold((f64::MAX, f64::MIN), |(low, high), value| (low.min(value), high.max(value)));
        let (low, high) = if low > high { (1.0, 10.0) } else { (low, high) };
        Scale { low: (low / 1.6).log10(), high: (high * 1.15).log10().max((low * 2.0).log10()), start, end }
    }

    /// The same, but beginning at a power of ten, for bars.
    pub(super) fn from_power(values: impl Iterator<Item = f64>, places: [f64; 2]) -> Scale {
        let wide = Scale::new(values, places);
        Scale { low: wide.low.floor(), ..wide }
    }

    /// The same for values that are themselves the ticks.
    pub(super) fn tight(values: impl Iterator<Item = f64>, places: [f64; 2]) -> Scale {
        let wide = Scale::new(values, places);
        Scale { low: wide.low + 1.6_f64.log10(), high: wide.high - 1.15_f64.log10(), ..wide }
    }

    pub(super) fn place(&self, value: f64) -> f64 {
        let share = (value.max(f64::MIN_POSITIVE).log10() - self.low) / (self.high - self.low);
        self.start + share.clamp(0.0, 1.0) * (self.end - self.start)
    }

    /// Round values within it: 1, 10, 100, and 2 and 5 of each where there would be few.
    pub(super) fn ticks(&self) -> Vec<f64> {
        let steps: &[f64] = if self.high - self.low < 1.7 { &[1.0, 2.0, 5.0] } else { &[1.0] };
        let powers = self.low.floor() as i32..=self.high.ceil() as i32;
        let all = powers.flat_map(|power| steps.iter().map(move |step| step * 10_f64.powi(power)));
        all.filter(|tick| (self.low..=self.high).contains(&tick.log10())).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::Scale;

    #[test]
    fn each_power_of_ten_is_as_far_as_the_last() {
        let scale = Scale::new([1.0, 1000.0].into_iter(), [0.0, 300.0]);
        let [one, ten, hundred] = [1.0, 10.0, 100.0].map(|value| scale.place(value));
        assert!(one > 0.0 && ((ten - one) - (hundred - ten)).abs() < 1e-9);
        assert_eq!(scale.ticks(), [1.0, 10.0, 100.0, 1000.0]);
    }

    #[test]
    fn a_narrow_range_has_finer_ticks_and_nothing_is_outside() {
        let scale = Scale::new([3.0, 12.0].into_iter(), [0.0, 100.0]);
        assert_eq!(scale.ticks(), [2.0, 5.0, 10.0]);
        assert_eq!((scale.place(0.0), scale.place(1e9)), (0.0, 100.0));
    }

    #[test]
    fn nothing_is_a_scale_too() {
        assert!(!Scale::new(std::iter::empty(), [0.0, 1.0]).ticks().is_empty());
    }
}
