import type { Recording } from "./recording";
import type { Selection } from "./selection";

// grafanaLink returns the address of planflame's dashboards at the time that is selected: of the
// query that is opened, or of all.
export function grafanaLink(base: string, r: Recording, s: Selection): string {
  const run = r.executions[s.execution];
  const at = (tick: number) => String(Math.round(r.meta.began + (tick * r.meta.tickNanos) / 1e6));
  const [from, to] = s.to >= 0 ? [s.from, s.to] : run ? [run.start, run.end] : [0, r.meta.span];
  const query = run && r.queries[run.query];
  const out = new URLSearchParams({ from: at(from), to: at(to) });
  if (query) {
    out.set("var-query_name", query.name);
    out.set("var-query", query.id);
  }
  return `${base}/d/planflame-${query ? "query" : "fleet"}?${out}`;
}
