const QUIET = 4;

/** Dark on white in every theme, because many phones read no other QR code. */
export const QrPicture = ({ qr: { size, path }, label }: { qr: { size: number; path: string }; label: string }) => (
  <svg
    viewBox={`${-QUIET} ${-QUIET} ${size + 2 * QUIET} ${size + 2 * QUIET}`}
    width="200"
    height="200"
    role="img"
    aria-label={label}
    shapeRendering="crispEdges"
    className="block border border-line2 rounded-card"
  >
    <path fill="#fff" d={`M${-QUIET} ${-QUIET}h${size + 2 * QUIET}v${size + 2 * QUIET}h-${size + 2 * QUIET}z`} />
    <path fill="#000" d={path} />
  </svg>
);
