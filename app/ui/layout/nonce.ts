import { createContext, useContext } from "react";

/** The content policy's nonce of this answer. Empty in the browser, which hides it from scripts anyway. */
export const NonceContext = createContext("");

export const useNonce = () => useContext(NonceContext);

/**
 * Styles that stand in the page itself, from the server's renderer, so that no script carries styles as a string: those of public
 * pages, which have no script, and a first visit's (app/http/express/first-load.server.ts), which the browser finds in the page again.
 */
export const StylesContext = createContext({ ofPublicPages: "", atFirst: "" });

export const useStyles = () => useContext(StylesContext);

/** Where the page answers from, when the server chose another address than was asked for; the browser finds it on `<html>`. */
export const AddressContext = createContext<string | undefined>(undefined);

export const useAddress = () => useContext(AddressContext);

/** The `id` of the element that a first visit's stand in. */
export const FIRST_STYLES = "styles";
