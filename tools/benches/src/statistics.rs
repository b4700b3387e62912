//! Medians, and medians of the ratios of measurements in the same round.

use std::collections::BTreeMap;

use crate::metric::Metric;
use crate::record::Record;

/// The median and quartiles of several measurements.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Spread {
    pub(crate) median: f64,
    pub(crate) low: f64,
    pub(crate) high: f64,
    pub(crate) count: usize,
}

impl Spread {
    /// `None` without values. `low` and `high` are the quartiles.
    pub(crate) fn of(values: impl IntoIterator<Item = f64>) -> Option<Spread> {
        let mut values: Vec<f64> = values.into_iter().filter(|value| value.is_finite()).collect();
        values.sort_by(f64::total_cmp);
        let quantile = |share| quantile(&values, share);
        Some(Spread { median: quantile(0.5)?, low: quantile(0.25)?, high: quantile(0.75)?, count: values.len() })
    }
}

/// The quantile of sorted values, interpolated.
pub(crate) fn quantile(sorted: &[f64], share: f64) -> Option<f64> {
    let place = share * sorted.len().checked_sub(1)? as f64;
    let (below, above) = (sorted[place.floor() as usize], sorted[place.ceil() as usize]);
    Some(below + (above - below) * place.fract())
}

/// The setting of a measurement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Setting {
    pub(crate) pinned: bool,
    pub(crate) at: u64,
}

impl Setting {
    pub(crate) const PINNED: Setting = Setting { pinned: true, at: 0 };
    pub(crate) const FREE: Setting = Setting { pinned: false, at: 0 };

    pub(crate) fn at(at: u64) -> Setting {
        Setting { pinned: false, at }
    }
}

/// A server in a setting.
pub(crate) type Whose<'a> = (&'a str, Setting);

/// The measurements of one server by round.
pub(crate) fn by_round(records: &[Record], metric: Metric, (server, setting): Whose<'_>) -> BTreeMap<usize, f64> {
    let its = |record: &&Record| record.server == server && record.pinned == setting.pinned && record.at == setting.at;
    records.iter().filter(its).filter_map(|record| Some((record.round, *record.metrics.get(&metric)?))).collect()
}

pub(crate) fn spread(records: &[Record], metric: Metric, whose: Whose<'_>) -> Option<Spread> {
    Spread::of(by_round(records, metric, whose).into_values())
}

/// The ratio of the measurements of a server to those of a base server in the same rounds. The metrics may differ.
pub(crate) fn ratio(records: &[Record], (metric, whose): (Metric, Whose<'_>), base: (Metric, Whose<'_>)) -> Option<Spread> {
    let base = by_round(records, base.0, base.1);
    let ratios = by_round(records, metric, whose);
    Spread::of(ratios.into_iter().filter_map(|(round, value)| Some(value / base.get(&round)?)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(server: &str, round: usize, value: f64) -> Record {
        let metrics = BTreeMap::from([(Metric::SequentialP50, value)]);
        Record { server: server.into(), round, metrics, ..Record::default() }
    }

    #[test]
    fn the_median_lies_in_the_middle_and_the_quartiles_around_it() {
        let spread = Spread::of([5.0, 1.0, 3.0, 2.0, 4.0]).unwrap();
        assert_eq!((spread.median, spread.low, spread.high, spread.count), (3.0, 2.0, 4.0, 5));
        let even = Spread::of([1.0, 2.0, 3.0, 10.0]).unwrap();
        assert_eq!((even.median, even.low, even.high), (2.5, 1.75, 4.75));
        assert_eq!(Spread::of([7.0]).unwrap().low, 7.0);
        assert_eq!(Spread::of([]), None);
        assert_eq!(Spread::of([f64::NAN]), None);
    }

    #[test]
    fn ratios_are_taken_within_a_round_so_that_a_slow_round_changes_nothing() {
        // The second round was ten times as slow for both.
        let records = [record("a", 0, 20.0), record("b", 0, 10.0), record("a", 1, 200.0), record("b", 1, 100.0)];
        let (a, b) = (("a", Setting::FREE), ("b", Setting::FREE));
        let ratio = ratio(&records, (Metric::SequentialP50, a), (Metric::SequentialP50, b)).unwrap();
        assert_eq!((ratio.median, ratio.low, ratio.high, ratio.count), (2.0, 2.0, 2.0, 2));
    }

    #[test]
    fn a_round_without_its_partner_does_not_count() {
        let records = [record("a", 0, 20.0), record("a", 1, 90.0), record("b", 0, 10.0)];
        let (a, b) = (("a", Setting::FREE), ("b", Setting::FREE));
        assert_eq!(ratio(&records, (Metric::SequentialP50, a), (Metric::SequentialP50, b)).unwrap().count, 1);
        assert_eq!(ratio(&records, (Metric::SyncP50, a), (Metric::SequentialP50, b)), None);
    }
}
