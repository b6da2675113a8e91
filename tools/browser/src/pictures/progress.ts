const SECOND = 1_000;
const MINUTE = 60 * SECOND;
/** Number of pictures before the remaining time is shown, because an estimate from fewer is too uncertain. */
const FIRST_PICTURES = 5;

/** A line about the progress, for example `12 of 200, about 3 min left`. */
export function progressLine(done: number, total: number, milliseconds: number): string {
  const line = `${done} of ${total}`;
  if (done < FIRST_PICTURES || done >= total) return line;
  const left = (milliseconds / done) * (total - done);
  return left < MINUTE ? `${line}, about ${Math.ceil(left / SECOND)} s left` : `${line}, about ${Math.round(left / MINUTE)} min left`;
}
