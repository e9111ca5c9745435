import { Link } from "@remix-run/react";
import { paths } from "~/paths";
import { StateText } from "~/ui/lists/chip";
import { type PlainColumn, PlainTable } from "~/ui/lists/plain-table";
import { type AppointmentFile, presentFile, type ShownFile } from "./present-files";

const columns: PlainColumn<ShownFile>[] = [
  { label: "Oprette dato", cell: ({ createdAt }) => createdAt },
  { label: "Import dato", cell: ({ importedAt }) => importedAt },
  { label: "Henvisere", isVerbatim: true, cell: ({ who }) => who },
  {
    label: "Filnavn",
    isVerbatim: true,
    cell: ({ id, fileName }) => <Link to={paths.appointmentFile(id)}>{fileName}</Link>,
  },
  { label: "Status", cell: ({ state }) => <StateText state={state} /> },
];

export function AppointmentLog({ files }: { files: readonly AppointmentFile[] }) {
  if (files.length === 0) return <p className="meta mt-3">Ingen data...</p>;
  return (
    <PlainTable caption="Uploadede filer" columns={columns} rows={files.map(presentFile)} keyOf={({ id }) => id} />
  );
}
