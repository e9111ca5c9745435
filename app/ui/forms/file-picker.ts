/** Styles the browser's file button. */
export const filePicker =
  "block max-w-full text-[16px] file:min-h-10 file:mr-3 file:px-4 file:py-1 file:border file:border-solid file:border-control file:rounded " +
  "file:bg-surface file:text-primary-ink file:font-semibold file:cursor-pointer";
