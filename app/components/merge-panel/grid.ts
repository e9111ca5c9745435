const grids: Readonly<Record<number, string>> = {
  1: "table:grid-cols-[132px_repeat(2,minmax(0,1fr))]",
  2: "table:grid-cols-[132px_repeat(3,minmax(0,1fr))]",
  3: "table:grid-cols-[132px_repeat(4,minmax(0,1fr))]",
  4: "table:grid-cols-[132px_repeat(5,minmax(0,1fr))]",
  5: "table:grid-cols-[132px_repeat(6,minmax(0,1fr))]",
  6: "table:grid-cols-[132px_repeat(7,minmax(0,1fr))]",
};

export const gridOf = (columns: readonly unknown[]) => `table:grid ${grids[columns.length]} border-b border-line`;

export const resultCell = "px-4 py-2 table:border-l table:border-line table:bg-raised";
