import { z } from "zod";
import { IMPORT_STARTED, runEdiImport } from "~/features/edi/import-edi.server";
import { call } from "~/http/api/api-route.server";

export const ediCalls = [
  call("POST /Admin/run-import-edi-visits", {
    summary: "Import referrals that have come by EDI, in the background",
    scope: null,
    operation: runEdiImport,
    answer: { schema: z.object({ message: z.string() }) },
    async run(ask) {
      await ask(runEdiImport, {});
      return { message: IMPORT_STARTED };
    },
  }),
];
