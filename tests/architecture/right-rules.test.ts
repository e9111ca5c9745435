import { describeRule } from "./describe-rule";
import * as rules from "./right-rules";

describeRule("nobody but access asks for a role", rules.rolesStayInAccess, {
  bad: {
    "app/features/a/b.server.ts#literal": `const isDentist = role === "Dentist";`,
    "app/features/a/b.server.ts#list": `const is = person.roles.some((role) => role === wanted);`,
    "app/routes/login/row.tsx": `const shown = roles.includes(wanted);`,
    "app/http/express/guard.server.ts": `if (caller.actor.roles.includes(staffRole)) next();`,
  },
  good: {
    "app/features/a/b.server.ts": `const may = can(person, "referral.editSent"); const roles = person.roles; const label = "Dentists";`,
    "app/features/directory/store.server.ts": `join.on("userRole.role", "=", "Surgeon");`,
    "app/access/permissions.ts": `const grants = { Admin: new Set(), "Dentist Secretary": new Set() }; const has = actor.roles.some((role) => role === "Dentist");`,
  },
});

describeRule("the number of a scoped referral is found, never claimed", rules.scopedIdsAreFound, {
  bad: {
    "app/features/a/b.server.ts#id": `await findFiles(db, referralId as ScopedReferralId);`,
    "tests/factories/referrals.ts": `const row = found as unknown as Scoped<Row>;`,
  },
  good: {
    "app/features/a/b.server.ts": `const find = (db, id: ScopedReferralId) => inScope(query, actor, "sent");`,
    "app/access/scope.server.ts": `export const trustedReferral = (id) => id as ScopedReferralId;`,
  },
});
