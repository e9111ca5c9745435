import { componentOf, keyOf, type Segment, segmentsOf } from "./edifact-segments";
import { readEdifactLetter } from "./edifact-letter";
import { EdiError, type EdiObject, type Envelope, type Letter, syntaxError } from "./letter";

export interface EdifactMessage {
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

function lettersOf(
  { head, body, tail, packages }: Unread,
  envelope: { senderEan: string | null; receiverEan: string | null },
): Letter {
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
    if (!(error instanceof EdiError)) throw error;
    const party = (ean: string | null) => ({
      ean,
      identifier: null,
      identifierCode: null,
      organisation: null,
      department: null,
      unit: null,
      phone: null,
    });
    return {
      kind: "refused",
      identifier: identifier !== null && IDENTIFIER.test(identifier) ? identifier : null,
      type: type?.slice(0, 10) ?? null,
      version: version?.slice(0, 10) ?? null,
      sender: party(envelope.senderEan),
      receiver: party(envelope.receiverEan),
      refuseCode: error.refuseCode,
      text: error.message,
    };
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
