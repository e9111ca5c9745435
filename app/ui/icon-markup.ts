/// <reference types="@remix-run/dev" />
import type { IconName } from "./icon-names";
import sheet from "./icons.svg";
import { type Markup, markup } from "./markup";

/** The same as `<Icon>`, as markup; decoration, so its meaning must stand in words beside it. */
export function iconMarkup(name: IconName, size: "i" | "i18" = "i"): Markup {
  const icon = made[size].get(name) ?? markup`<svg class="${size}" aria-hidden="true"><use href="${sheet}#${name}"/></svg>`;
  made[size].set(name, icon);
  return icon;
}

/** A list has a hundred of them, of a dozen kinds. */
const made = { i: new Map<IconName, Markup>(), i18: new Map<IconName, Markup>() };
