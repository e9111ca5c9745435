import ts from "typescript";
import { type Breach, isDemo, isTest, lineOf, parse, type Rule, type SourceText } from "./source-text";

/**
 * Natives and libraries whose time grows faster than the length of their text: punycode (in `URL` too), Unicode
 * normalisation, pdfkit's line breaker, the judge of passwords. One long text would block everybody, so only the modules
 * below use them, each with what limits the length beforehand.
 */
const COSTLY = new Set(["domainToASCII", "domainToUnicode", "newPdf", "zxcvbn", "parsePhoneNumberFromString"]);
const COSTLY_METHODS = /^z\.(url|httpUrl)$|\.normalize$/;

/** What limits the text, by module. An address of a request (`new URL(request.url)`) has 16 KB at most and a known host. */
export const boundedIn: Readonly<Record<string, string>> = {
  "app/text/fields.server.ts": "e-mails over 254 signs are not rewritten; NFKC: marks are limited by `cleanLine`",
  "app/text/normalise.ts": "30 marks on one letter",
  "app/text/names.ts": "cut to MAX_READ",
  "app/text/phone.ts": "the library reads 250 signs",
  "app/files/file-name.ts": "1,024 bytes of a name",
  "app/config/config.server.ts": "settings of the operator",
  "app/config/file-store-settings.server.ts": "settings of the operator",
  "app/config/image-archive-settings.server.ts": "settings of the operator",
  "app/config/setting-fields.server.ts": "settings of the operator",
  "app/config/sign-in-settings.server.ts": "settings of the operator",
  "app/config/transport-settings.server.ts": "settings of the operator",
  "app/access/sites.server.ts": "settings of the operator",
  "app/gateways/identity-provider/openid.server.ts": "settings of the operator",
  "app/http/express/web-app.server.ts": "a target of 16 KB without a host",
  "app/http/runners/identity-provider.server.ts": "a path of the portal's own on its own address",
  "app/features/accounts/return-path.ts": "4,000 signs",
  "app/features/accounts/external-sign-in.server.ts": "16 KB on the portal's own address",
  "app/features/accounts/passwords.server.ts": "32 signs of a password",
  "app/features/people/create-user.server.ts": "8,000 signs that begin with a path of the portal's own",
  "app/features/referrals/treatment-types/operations.server.ts": "500 signs, checked before the pipe",
  "app/files/pdf/printable.server.ts": "`printable` splits what pdfkit does not break at 200 signs",
  "app/features/referrals/details/pdf-pages.server.ts": "each text is `printable`, 4,000 signs at most",
  "app/features/letters/letter-pdf.server.ts": "each text is `printable`, two pages at most",
  "app/features/audit-log/insight-pdf.server.ts": "each text is `printable`",
  "app/http/forms/client-page.ts": "the browser's own address",
  "app/routes/management/leave-guard.tsx": "the browser's own address",
};

const isChecked = ({ path }: SourceText) =>
  /^((app|db)\/.*\.tsx?|server\.ts)$/.test(path) && !isTest(path) && !isDemo(path);

/** Nodes that name a costly native as a value. */
function costlyIn(node: ts.Node): boolean {
  if (!ts.isIdentifier(node)) return false;
  const { parent } = node;
  if (COSTLY.has(node.text)) return true;
  if (ts.isPropertyAccessExpression(parent) && parent.name === node && COSTLY_METHODS.test(parent.getText()))
    return true;
  return node.text === "URL" && !isType(parent) && !isOwnAddress(parent) && !isObjectAddress(parent);
}

const isType = (parent: ts.Node) => ts.isTypeReferenceNode(parent) || ts.isTypeQueryNode(parent);
const isOwnAddress = (parent: ts.Node) =>
  ts.isNewExpression(parent) && /^(args\.)?request\.url$/.test(parent.arguments?.[0]?.getText() ?? "");
const isObjectAddress = (parent: ts.Node) =>
  ts.isPropertyAccessExpression(parent) && /^(create|revoke)ObjectURL$/.test(parent.name.text);

export function costlyUses(source: SourceText): Breach[] {
  if (!isChecked(source)) return [];
  const tree = parse(source);
  const found: Breach[] = [];
  const visit = (node: ts.Node) => {
    if (costlyIn(node))
      found.push({ path: source.path, line: lineOf(tree, node), why: `${node.getText(tree)} of a text of any length` });
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}

export const costlyCallsAreBounded: Rule = (sources) =>
  sources.flatMap(costlyUses).filter(({ path }) => !(path in boundedIn));
