// What both servers do, so that both do the same.
import { z } from "zod";

export const text = (text) => ({ content: [{ type: "text", text }] });

const Kind = z.enum(["doc", "code", "issue"]);
const Hit = z.object({ id: z.number().int(), title: z.string(), kind: Kind, score: z.number() });

export const add = { a: z.number().int(), b: z.number().int() };
export const echo = { text: z.string() };
export const search = {
  query: z.string(),
  limit: z.number().int().default(10),
  filter: z.object({ kind: Kind, min_score: z.number().min(0).optional() }).optional(),
};
export const found = { total: z.number().int(), hits: z.array(Hit) };

export function runSearch({ query, limit, filter }) {
  const kind = filter?.kind ?? "doc";
  const least = filter?.min_score ?? 0;
  const hits = [];
  for (let id = 0; id < limit; id++) {
    const hit = { id, title: `${query} #${id}`, kind, score: 1 / (1 + id) };
    if (hit.score >= least) hits.push(hit);
  }
  const structuredContent = { total: hits.length, hits };
  return { ...text(JSON.stringify(structuredContent)), structuredContent };
}
