/** Three steps in parallel that meet in one. */
export function Logo() {
  return (
    <svg width="26" height="26" viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="8" fill="var(--accent)" />
      <g fill="none" stroke="var(--on-accent)" strokeOpacity=".65" strokeWidth="2.2">
        <path d="M10 10h5a6 6 0 0 1 6 6a6 6 0 0 1-6 6h-5M10 16h11" />
      </g>
      <g fill="var(--on-accent)">
        <circle cx="9" cy="10" r="3" />
        <circle cx="9" cy="16" r="3" />
        <circle cx="9" cy="22" r="3" />
        <circle cx="23" cy="16" r="3.6" />
      </g>
    </svg>
  );
}
