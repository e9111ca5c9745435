import { componentOf, keyOf, type Segment, segmentsOf, freeText, lineOf } from "./edifact-segments";
import {
  refusedLetter,
  type EdiObject,
  type Envelope,
  type Letter,
  syntaxError,
  checkVersion,
  type EdiPatient,
  ediPatient,
  isPositive,
  isReceipt,
  noParty,
  type Party,
  type ReadLetter,
  type ReceiptParts,
  type ReferringPerson,
  requireText,
} from "./letter";

interface EdifactMessage {
  identifier: string;
  type: string;
  version: string;
  body: Segment[];
}

/** UNOC is latin1; UNOA and UNOB are subsets. */
const CHARACTER_SETS = ["UNOA", "UNOB", "UNOC"];
const IDENTIFIER = /^[\x20-\x7e\xa0-\xff]{1,14}$/;

/** Reads an interchange from UNB to UNZ. Throws `EdiError` if the interchange itself is malformed. */
export function readInterchange(bytes: Buffer): Envelope {
  const segments = segmentsOf(bytes);
  const [unb] = segments;
  const unz = segments.at(-1);
  if (unb?.tag !== "UNB") throw syntaxError("Kuverten begynder ikke med UNB.");
  const charset = componentOf(unb, 0) ?? "";
  if (!CHARACTER_SETS.includes(charset)) throw syntaxError(`Tegnsættet ${charset.slice(0, 10)} kan ikke læses.`);
  const identifier = keyOf(unb, 4);
  if (identifier === null || !IDENTIFIER.test(identifier)) throw syntaxError("Kuverten har ikke noget gyldigt nummer.");
  if (unz?.tag !== "UNZ") throw syntaxError("Kuverten slutter ikke med UNZ: den er ikke kommet hel.");
  if (keyOf(unz, 1) !== identifier) throw syntaxError("Kuverten slutter med et andet nummer, end den begynder.");
  const messages = messagesOf(segments.slice(1, -1));
  const counted = componentOf(unz, 0);
  if (counted === null || Number(counted) !== messages.length)
    throw syntaxError(`Kuverten siger, at den har ${counted ?? "?"} breve, men har ${messages.length}.`);
  const envelope = {
    senderEan: componentOf(unb, 1),
    receiverEan: componentOf(unb, 2),
  };
  return {
    syntax: "edifact",
    identifier,
    ...envelope,
    wantsReceipt: componentOf(unb, 8) === "1",
    letters: messages.map((message) => lettersOf(message, envelope)),
  };
}

type Unread = { head: Segment; body: Segment[]; tail: Segment; packages: Segment[] };

/** Messages from UNH to UNT; a package (UNO to UNP) belongs to the message before it. */
function messagesOf(segments: Segment[]): Unread[] {
  const messages: Unread[] = [];
  let open: { head: Segment; body: Segment[] } | null = null;
  for (const segment of segments) {
    if (segment.tag === "UNH") {
      if (open !== null) throw syntaxError("Et brev begynder, før det forrige er slut.");
      open = { head: segment, body: [] };
    } else if (segment.tag === "UNT") {
      if (open === null) throw syntaxError("Et brev slutter, uden at være begyndt.");
      messages.push({ ...open, tail: segment, packages: [] });
      open = null;
    } else if (open !== null) open.body.push(segment);
    else if (["UNO", "UNP"].includes(segment.tag) && messages.length > 0) messages.at(-1)!.packages.push(segment);
    else throw syntaxError(`Segmentet ${segment.tag} står uden for et brev.`);
  }
  if (open !== null) throw syntaxError("Det sidste brev er ikke afsluttet.");
  if (messages.length === 0) throw syntaxError("Kuverten er tom.");
  return messages;
}

function lettersOf({ head, body, tail, packages }: Unread, envelope: Ends): Letter {
  const identifier = keyOf(head, 0);
  const version = componentOf(head, 1, 4);
  const type = componentOf(head, 2);
  try {
    if (identifier === null || !IDENTIFIER.test(identifier)) throw syntaxError("Brevet har ikke noget gyldigt nummer.");
    if (keyOf(tail, 1) !== identifier) throw syntaxError("Brevet slutter med et andet nummer, end det begynder.");
    const own = body.length + 2;
    const counted = componentOf(tail, 0);
    if (counted === null || Number(counted) !== own)
      throw syntaxError(`Brevet siger, at det har ${counted ?? "?"} segmenter, men har ${own}.`);
    return readEdifactLetter(
      { identifier, type: type ?? "", version: version ?? "", body },
      envelope,
      objectsOf(packages),
    );
  } catch (error) {
    return refusedLetter(error, {
      identifier: identifier !== null && IDENTIFIER.test(identifier) ? identifier : null,
      type,
      version,
      sender: { ...noParty, ean: envelope.senderEan },
      receiver: { ...noParty, ean: envelope.receiverEan },
    });
  }
}

/** Files after a message: each UNO names the file and type, and UNP repeats its length. Throws `EdiError`. */
function objectsOf(packages: readonly Segment[]): EdiObject[] {
  const objects: EdiObject[] = [];
  for (let at = 0; at < packages.length; at += 2) {
    const [uno, unp] = [packages[at]!, packages[at + 1]];
    if (uno.object === undefined || unp?.tag !== "UNP")
      throw syntaxError("En fil i kuverten har ikke både UNO og UNP.");
    if (Number(componentOf(unp, 0)) !== uno.object.length || keyOf(unp, 1) !== keyOf(uno, 0))
      throw syntaxError("UNP siger noget andet om sin fil end UNO.");
    const type = uno.elements[2]?.findLast((part) => /^[A-Za-z]{3,4}$/.test(part));
    objects.push({
      objectId: (keyOf(uno, 1, 1) ?? keyOf(uno, 0) ?? "").slice(0, 36),
      extension: type?.toLowerCase() ?? "",
      bytes: uno.object,
    });
  }
  return objects;
}

type Ends = Pick<Envelope, "senderEan" | "receiverEan">;

/** Reads a referral (MEDREF) or receipt (CONTRL). Throws `EdiError`. */
function readEdifactLetter(
  { identifier, type, version, body }: EdifactMessage,
  ends: Ends,
  objects: EdiObject[],
): ReadLetter {
  checkVersion(type, version);
  const common = { identifier, type, version };
  if (isReceipt(type))
    return {
      kind: "receipt",
      ...common,
      status: "new",
      sender: { ...noParty, ean: ends.senderEan },
      receiver: { ...noParty, ean: ends.receiverEan },
      isPositive: isPositive(type),
      ...receiptOf(body),
    };
  return { kind: "referral", ...common, ...referralOf(body, ends), objects };
}

type Found = (segment: Segment) => boolean;
const is =
  (tag: string, qualifier?: string): Found =>
  (segment) =>
    segment.tag === tag && (qualifier === undefined || segment.elements[0]?.[0] === qualifier);

function groupsOf(body: readonly Segment[], trigger: string): Segment[][] {
  const groups: Segment[][] = [];
  let open: Segment[] | null = null;
  for (const segment of body) {
    if (/^S\d\d$/.test(segment.tag)) {
      open = segment.tag === trigger ? [] : null;
      if (open !== null) groups.push(open);
    } else open?.push(segment);
  }
  return groups;
}

function referralOf(body: readonly Segment[], ends: Ends) {
  const parties = groupsOf(body, "S01");
  const [referral = []] = groupsOf(body, "S02");
  const [patient] = groupsOf(body, "S07");
  const [relative = []] = groupsOf(body, "S10");
  const clinical = groupsOf(body, "S12").flat();
  const [priority = []] = groupsOf(body, "S18");
  const [transport = []] = groupsOf(body, "S19");
  if (patient === undefined) throw syntaxError("Patienten mangler.");
  const diagnoses = diagnosesOf(referral);
  return {
    status: statusOf(referral),
    sender: partyOf(inOrder(parties, "1"), ends.senderEan),
    receiver: partyOf(inOrder(parties, "2"), ends.receiverEan),
    referrer: personOf(parties.find((group) => group.some(is("NAD", "BV")))),
    patient: patientIn(patient, freeText(clinical, "IN")),
    priority: priorityOf(priority.find(is("PTY", "PRI"))),
    transport: find(transport.find(is("TDT", "PHL")), 2),
    purpose: diagnoses.find(({ isPurpose }) => isPurpose)?.text ?? null,
    diagnoses: diagnoses.filter(({ isPurpose }) => !isPurpose).map(({ code, text }) => ({ code, text })),
    reason: freeText(referral, "DI"),
    supplementary: freeText(transport, "COT"),
    cave: freeText(clinical, "AL"),
    anamnesis: freeText(clinical, "NC"),
    examination: freeText(clinical, "CF"),
    medicine: freeText(clinical, "MT"),
    relative: nameOf(relative.find(is("PNA", "PAS"))),
    references: [],
    links: [],
  };
}

const find = (segment: Segment | undefined, element: number, component = 0) =>
  segment === undefined ? null : componentOf(segment, element, component);

/** The party with this sequence number: 1 sender, 2 receiver. Throws `EdiError`. */
function inOrder(groups: Segment[][], number: string): Segment[] {
  const group = groups.find((segments) =>
    segments.some((segment) => is("SEQ")(segment) && componentOf(segment, 1) === number),
  );
  if (group === undefined) throw syntaxError(number === "1" ? "Afsenderen mangler." : "Modtageren mangler.");
  return group;
}

const codeLists: Readonly<Record<string, string>> = {
  YNR: "ydernummer",
  SKS: "sygehusafdelingsnummer",
  EAN: "lokationsnummer",
  SOR: "sorkode",
};

function codeListOf(nad: Segment | undefined): string | null {
  const code = find(nad, 1, 1);
  return code === null ? null : (codeLists[code] ?? code.toLowerCase());
}

function partyOf(group: Segment[], ean: string | null): Party {
  const nad = group.find(is("NAD"));
  return {
    ean,
    identifier: find(nad, 1),
    identifierCode: codeListOf(nad),
    organisation: find(nad, 3, 0),
    department: find(nad, 3, 1),
    unit: find(nad, 3, 2),
    phone: find(group.find(is("CON")), 1) ?? find(group.find(is("CON")), 0),
  };
}

function personOf(group: Segment[] | undefined): ReferringPerson | null {
  const nad = group?.find(is("NAD", "BV"));
  if (nad === undefined) return null;
  const [first, second] = [componentOf(nad, 3, 0), componentOf(nad, 3, 1)];
  return {
    identifier: componentOf(nad, 1),
    identifierCode: codeListOf(nad),
    name: second ?? first,
    title: second === null ? null : first,
  };
}

function statusOf(referral: Segment[]): "new" | "corrected" | "cancelled" {
  const written = find(referral.find(is("GIS")), 0);
  if (written === "N" || written === null) return "new";
  return written === "M" ? "corrected" : "cancelled";
}

function diagnosesOf(referral: Segment[]) {
  return referral.filter(is("CIN")).flatMap((cin) => {
    const text = componentOf(cin, 1, 3);
    const code = componentOf(cin, 1);
    return text === null && code === null
      ? []
      : [{ isPurpose: componentOf(cin, 1, 1) === "HET", code, text: text ?? code ?? "" }];
  });
}

/** `WA` means waiting list; other codes are kept for a person to read. */
function priorityOf(pty: Segment | undefined): string | null {
  const code = find(pty, 1);
  return code === "WA" ? "elektiv" : code;
}

function namePart(pna: Segment | undefined, part: "SU" | "FO"): string | null {
  return lineOf(pna?.elements.find(([qualifier]) => qualifier === part)?.[1] ?? "");
}

function nameOf(pna: Segment | undefined): string | null {
  return [namePart(pna, "FO"), namePart(pna, "SU")].filter(Boolean).join(" ") || null;
}

function patientIn(group: Segment[], email: string | null): EdiPatient {
  const pna = group.find(is("PNA", "PAT"));
  const adr = group.find(is("ADR"));
  const phone = (kind: string) => find(group.find(is("CON", kind)), 1);
  const street = (adr?.elements[1] ?? []).filter((part) => part !== "US" && part.trim() !== "");
  const birth = group.find(
    (segment) => segment.tag === "DTM" && ["329", "S29"].includes(segment.elements[0]?.[0] ?? ""),
  );
  return ediPatient({
    id: find(pna, 1) ?? find(group.find(is("RFF", "XPI")), 0, 1),
    birthDate: dayOf(find(birth, 0, 1)),
    firstName: namePart(pna, "FO"),
    lastName: namePart(pna, "SU"),
    profession: find(group.find(is("EMP")), 2, 3),
    address: lineOf(street.join(", ")),
    city: find(adr, 2),
    zip: find(adr, 3),
    phone: phone("HO"),
    mobilePhone: phone("CE"),
    email,
  });
}

const dayOf = (written: string | null) => {
  const found = /^(\d{4})(\d\d)(\d\d)/.exec(written ?? "");
  return found === null ? null : `${found[1]}-${found[2]}-${found[3]}`;
};

function receiptOf(body: readonly Segment[]): ReceiptParts {
  const uci = body.find(is("UCI"));
  const text = freeText(body, "VER");
  const refused = body.filter(is("UCM")).map((ucm) => ({
    identifier: requireText(keyOf(ucm, 0), "Nummeret på det brev, der kvitteres for,"),
    refuseCode: componentOf(ucm, 2),
    refuseText: text,
  }));
  return {
    originalEnvelope: requireText(
      uci === undefined ? null : keyOf(uci, 0),
      "Nummeret på den kuvert, der kvitteres for,",
    ),
    originals: refused,
    refuseCode: find(uci, 3),
    refuseText: text,
  };
}
