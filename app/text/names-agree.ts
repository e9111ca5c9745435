import { searchKey } from "./names";

interface Name {
  firstName: string;
  lastName: string;
}

const wordsOf = (text: string) =>
  searchKey(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);

/** Field length in a message: a name this long may have been truncated. */
const FIELD = 35;

/**
 * Whether two names may belong to one person. Middle names, second surnames and initials vary, so the first first name
 * must be among the other's names and one surname must be shared; accents and `aa` are ignored. A missing first name
 * agrees with any.
 */
export function namesAgree(one: Name, other: Name): boolean {
  return surnamesMatch(one, other) && (firstIsIn(one, other) || firstIsIn(other, one));
}

function surnamesMatch(one: Name, other: Name): boolean {
  const [a, b] = [wordsOf(one.lastName), wordsOf(other.lastName)];
  const all = [...b, ...wordsOf(other.firstName)];
  const isCut = one.lastName.length === FIELD || other.lastName.length === FIELD;
  return a.some(
    (word) => all.includes(word) || (isCut && all.some((each) => each.startsWith(word) || word.startsWith(each))),
  );
}

function firstIsIn(one: Name, other: Name): boolean {
  const [first] = wordsOf(one.firstName);
  const names = wordsOf(other.firstName);
  return first === undefined || names.length === 0 || names.includes(first);
}
