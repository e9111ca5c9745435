/** To staff while images and other files can be neither fetched nor stored; everything else works. */
export function FileStoreOutageBar() {
  return (
    <p className="m-0 px-4 py-1.5 bg-err-bg text-err text-center font-semibold" role="status">
      Filerne kan ikke nås lige nu: billeder og filer kan hverken hentes eller gemmes. Alt andet virker. Kontakt
      driften, hvis det varer ved.
    </p>
  );
}
