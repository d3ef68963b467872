/** The sign of Homeostat. A title or a name beside it says the same. */
export function Logo({ size }: { size: number }) {
  return (
    <svg viewBox="0 0 32 32" width={size} height={size} aria-hidden="true">
      <circle
        cx="16"
        cy="16"
        r="11"
        fill="none"
        stroke="#2f7d5b"
        stroke-width="4"
        stroke-dasharray="52 18"
        stroke-linecap="round"
      />
      <circle cx="16" cy="16" r="4" fill="#2f7d5b" />
    </svg>
  )
}
