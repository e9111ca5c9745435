import { z } from "zod";
import { deleteDraft } from "~/features/drafts/operations.server";
import { call, id } from "~/http/api/api-route.server";
import { draftView, draftColumns } from "~/features/drafts/draft-list";
import { listParams, requestedPage, filterNames, filterOf, filterParams } from "./call-shapes.server";
import { listDrafts } from "~/features/drafts/draft-list.server";

const { PatientName, Cpr, VisitNumber, DateFrom, DateTo, DoctorId } = filterParams;

const draft = z.object({
  id: z.int(),
  patientCPR: z.string().nullable(),
  patientFullName: z.string(),
  createDate: z.iso.datetime(),
  modifyDate: z.iso.datetime(),
  modifierFullName: z.string().nullable(),
});

export const draftCalls = [
  call("GET /Drafts", {
    summary:
      "A page of the drafts in one's own scope; OrderBy 1 id, 2 CPR, 3 patient name, 4 create date, 5 modify date, 6 modifier name",
    scope: "refer",
    operation: listDrafts,
    params: {
      ...listParams(draftColumns),
      PatientName,
      Cpr,
      VisitNumber,
      DateFrom,
      DateTo,
      DoctorId,
    },
    names: filterNames,
    answer: { schema: z.object({ paginationResult: z.object({ entities: z.array(draft), totalEntities: z.int() }) }) },
    async run(ask, { params }) {
      const { rows, total } = await ask(listDrafts, {
        ...requestedPage(params, draftView.defaultSort),
        filter: filterOf(params),
      });
      const entities = rows.map((row) => ({
        id: row.id,
        patientCPR: row.cpr,
        patientFullName: row.name,
        createDate: row.createdAt,
        modifyDate: row.modifiedAt,
        modifierFullName: row.modifierName,
      }));
      return { paginationResult: { entities, totalEntities: total } };
    },
  }),
  call("DELETE /Drafts/{id}", {
    summary: "Remove a draft; it can be brought back on the page of drafts until it is purged",
    scope: "refer",
    operation: deleteDraft,
    params: { id },
    run: (ask, { params }) => ask(deleteDraft, { referralId: params.id }),
  }),
];
