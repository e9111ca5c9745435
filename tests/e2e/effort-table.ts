import type { Reporter, TestCase, TestResult } from "@playwright/test/reporter";
import type { EffortRow } from "./hands";

/** Prints what the tasks of the journeys took, with and without JavaScript, as one table at the end of a run. */
export default class EffortTable implements Reporter {
  private readonly rows: (EffortRow & { edition: string })[] = [];

  onTestEnd(test: TestCase, result: TestResult): void {
    const edition = test.parent.project()?.name.startsWith("med") ? "with" : "without";
    for (const { type, description } of result.annotations)
      if (type === "effort") this.rows.push({ edition, ...(JSON.parse(description!) as EffortRow) });
  }

  onEnd(): void {
    if (this.rows.length === 0) return;
    const heads = ["task", "script", "clicks", "keys", "pages", "scrolled", "height", "could be"];
    const lines = this.rows
      .map((row) => [row.task, row.edition, row.clicks, row.keys, row.pages, row.scrolled, row.height, row.aim])
      .map((cells) => cells.map(String))
      .toSorted(
        ([one = "", a], [other = "", b]) =>
          parseInt(one) - parseInt(other) || `${one} ${a}`.localeCompare(`${other} ${b}`),
      );
    const widths = heads.map((head, column) => Math.max(head.length, ...lines.map((line) => line[column]!.length)));
    const line = (cells: readonly string[]) => cells.map((cell, column) => cell.padEnd(widths[column]!)).join("  ");
    process.stdout.write(`\n${[heads, ...lines].map(line).join("\n")}\n`);
  }
}
