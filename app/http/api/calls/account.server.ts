import { z } from "zod";
import {
  acceptConditions,
  readConditions,
  readInfoPopup,
  readPublicSettings,
  signOut,
} from "~/features/accounts/operations.server";
import { changePassword, forgotPassword, resetPassword } from "~/features/accounts/passwords.server";
import { changeProfile, readProfile } from "~/features/accounts/change-profile.server";
import { readManagementText } from "~/features/portal-texts/operations.server";
import { readAccount } from "~/features/shell/read-shell.server";
import { signIn } from "~/features/accounts/sign-in.server";
import { setUserPassword } from "~/features/people/operations.server";
import { Refusal } from "~/access/refusal";
import { refusals } from "~/http/errors";
import { call, id } from "~/http/api/api-route.server";

const account = z.object({
  id: z.int(),
  firstName: z.string(),
  lastName: z.string(),
  userName: z.string(),
  email: z.string(),
  phone: z.string().nullable(),
  role: z.string().nullable(),
  roles: z.array(z.string()),
  showAppointmentFileNotUploadedAlert: z.boolean(),
});

const text = z.object({ text: z.string().nullable(), buttonText: z.string().nullable() });

export const accountCalls = [
  call("GET /Account", {
    summary: "Who is signed in, with the data that PUT /Account changes",
    scope: null,
    operation: readAccount,
    answer: { schema: account },
    async run(ask) {
      const { userName, email, phone } = await ask(readProfile);
      return account.parse({ ...(await ask(readAccount)), userName, email, phone: phone || null });
    },
  }),
  call("PUT /Account", {
    summary: "Change one's own name, user name, e-mail and phone; user name and e-mail with currentPassword",
    scope: null,
    operation: changeProfile,
    json: z.object({
      firstName: z.string(),
      lastName: z.string(),
      userName: z.string(),
      email: z.string(),
      phone: z.string().nullish(),
      currentPassword: z.string().optional(),
    }),
    run: (ask, { body }) => ask(changeProfile, { ...body, phone: body.phone ?? undefined }),
  }),
  call("GET /Account/Access", {
    summary: "204 when this person may use this host; 403 by role or by IP address",
    scope: null,
    operation: readAccount,
    run: (ask) => ask(readAccount),
  }),
  call("PUT /Account/password", {
    summary:
      "Change one's own password: this session is renewed and all others end; or with userIdToResetPassword somebody else's, of staff with one's own as currentPassword",
    scope: null,
    operation: changePassword,
    json: z.object({
      currentPassword: z.string().optional(),
      newPassword: z.string(),
      userIdToResetPassword: id.nullish(),
    }),
    async run(ask, { body: { userIdToResetPassword, ...passwords } }) {
      const sent = { ...passwords, repeatPassword: passwords.newPassword };
      await (userIdToResetPassword
        ? ask(setUserPassword, { ...sent, userId: userIdToResetPassword })
        : ask(changePassword, sent));
    },
  }),
  call("POST /Account/password/forgot", {
    summary:
      "Send a link to choose a new password, to a user name or to every account of an e-mail address; 410 for an unknown name",
    scope: null,
    operation: forgotPassword,
    json: z.object({ userName: z.string() }),
    run: (ask, { body }) => ask(forgotPassword, body),
  }),
  call("POST /Account/password/reset", {
    summary: "Choose a new password by the link that was sent",
    scope: null,
    operation: resetPassword,
    json: z.object({ userName: z.string(), token: z.string(), newPassword: z.string() }),
    run: (ask, { body }) => ask(resetPassword, { ...body, repeatPassword: body.newPassword }),
  }),
  call("POST /Account/SignIn", {
    summary:
      "Sign in; the answer sets the session's cookie. Who has a second factor sends its code, or a recovery code, along; without it 400 with `errors.code`",
    scope: null,
    operation: signIn,
    json: z.object({ userName: z.string(), password: z.string(), code: z.string().optional() }),
    async run(ask, { body }) {
      const { data } = await ask(signIn, body);
      if (data?.step !== undefined) throw new Refusal("codeNeeded", { fields: { code: [refusals.codeNeeded.text] } });
    },
  }),
  call("POST /Account/SignOut", {
    summary: "Sign out",
    scope: null,
    operation: signOut,
    run: (ask) => ask(signOut),
  }),
  call("GET /Umbraco/conditions", {
    summary: "The conditions of use, and whether this person has accepted them",
    scope: null,
    operation: readConditions,
    answer: {
      schema: z.object({
        isAccepted: z.boolean(),
        conditionsText: z.string().nullable(),
        conditionsButtonText: z.string().nullable(),
      }),
    },
    async run(ask) {
      const { isAccepted, conditions } = await ask(readConditions);
      return {
        isAccepted,
        conditionsText: conditions?.body ?? null,
        conditionsButtonText: conditions?.buttonText ?? null,
      };
    },
  }),
  call("GET /Umbraco/management", {
    summary: "Names, support contact and the clinic's introduction that the management pages show",
    scope: null,
    operation: readPublicSettings,
    answer: {
      schema: z.object({
        productName: z.string(),
        clinicName: z.string(),
        phone: z.string().nullable(),
        email: z.string().nullable(),
        text: z.string().nullable(),
      }),
    },
    async run(ask) {
      const { productName, clinicName, supportPhone, supportEmail } = await ask(readPublicSettings, {
        saveData: false,
      });
      const { text: words } = await ask(readManagementText);
      return { productName, clinicName, phone: supportPhone, email: supportEmail, text: words };
    },
  }),
  call("GET /Umbraco/info-popup", {
    summary: "The secretaries' popup, until it is closed in this session; null texts when there is none",
    scope: null,
    operation: readInfoPopup,
    answer: { schema: text },
    async run(ask) {
      const { popup } = await ask(readInfoPopup);
      return { text: popup?.body ?? null, buttonText: popup?.buttonText ?? null };
    },
  }),
  call("POST /Doctors/conditions", {
    summary: "Accept the newest conditions",
    scope: null,
    operation: acceptConditions,
    json: z.object({ accepted: z.literal(true) }),
    run: (ask) => ask(acceptConditions),
  }),
];
