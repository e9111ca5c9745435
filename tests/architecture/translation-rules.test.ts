import { describeRule } from "./describe-rule";
import * as rules from "./translation-rules";

describeRule("a column of names or numbers is not translated", rules.columnsOfNamesAreVerbatim, {
  bad: {
    "app/routes/a/columns.tsx#label": `{ label: "CPR-nummer", cell: ({ cpr }) => cpr }`,
    "app/routes/a/columns.tsx#definition": `{ label: cpr.label, sort: cpr, isPlain: true, cell: (row) => row.cpr }`,
    "app/components/a/b.tsx": `{ label: "Status", isVerbatim: true, cell }, { label: "Nr.", cell: Number }`,
  },
  good: {
    "app/routes/a/columns.tsx#verbatim": `{ label: "Mobiltelefon", isVerbatim: true, cell: ({ phone }) => phone }`,
    "app/routes/a/columns.tsx#row": `{ label: name.label, sort: name, isRowHeader: true, cell: Name }`,
    "app/routes/a/columns.tsx#words": `{ label: "Status", cell: ({ state }) => state }`,
  },
});
