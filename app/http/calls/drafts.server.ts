import { z } from "zod";
import { deleteDraft } from "~/features/drafts/delete-draft.server";
import { pageDrafts } from "~/features/drafts/page-drafts.server";
import { call, id } from "../api-route.server";
import { filterNames, filterOf, filterParams } from "./visit-filter.server";

const { PatientName, Cpr, VisitNumber, DateFrom, DateTo, DoctorId } = filterParams;

const draft = z.object({
  id: z.int(),
  patientCPR: z.string().nullable(),
  patientFullName: z.string(),
  createDate: z.iso.datetime(),
  modifyDate: z.iso.datetime(),
  modifierFullName: z.string().nullable(),
});

/** The API's calls of drafts. */
export const draftCalls = [
  call("GET /Drafts", {
    summary:
      "A page of the drafts in one's own scope; OrderBy 1 id, 2 CPR, 3 patient name, 4 create date, 5 modify date, 6 modifier name",
    operation: pageDrafts,
    params: {
      OrderBy: z.int().optional(),
      OrderByAscending: z.boolean().optional(),
      CurrentPage: z.int().optional(),
      PageSize: z.int().optional(),
      PatientName,
      Cpr,
      VisitNumber,
      DateFrom,
      DateTo,
      DoctorId,
    },
    names: { orderBy: "OrderBy", page: "CurrentPage", pageSize: "PageSize", ...filterNames },
    answer: { schema: z.object({ paginationResult: z.object({ entities: z.array(draft), totalEntities: z.int() }) }) },
    async run(ask, { params }) {
      const input = {
        orderBy: params.OrderBy,
        ascending: params.OrderByAscending,
        page: params.CurrentPage,
        pageSize: params.PageSize,
        filter: filterOf(params),
      };
      const { drafts, totalEntities } = await ask(pageDrafts, input);
      return { paginationResult: { entities: drafts, totalEntities } };
    },
  }),
  call("DELETE /Drafts/{id}", {
    summary: "Remove a draft; it can be brought back on the page of drafts until it is purged",
    operation: deleteDraft,
    params: { id },
    run: async (ask, { params }) => void (await ask(deleteDraft, { referralId: params.id })),
  }),
];
