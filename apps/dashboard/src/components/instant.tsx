import { ago, preciseInstant, shortInstant, utcInstant } from '../format/instant';

interface InstantProps {
  /** Time in RFC 3339. */
  readonly at: string;
  /** True to show seconds and milliseconds. */
  readonly precise?: boolean;
  /** True to show the age of a time in the last 24 hours, such as "2 min ago". */
  readonly relative?: boolean;
}

/** A time in the viewer's zone; its title is RFC 3339 in UTC. */
export function Instant({ at, precise = false, relative = false }: InstantProps) {
  const text = precise ? preciseInstant(at) : shortInstant(at);
  const age = relative ? ago(at) : null;
  return <time dateTime={at} title={utcInstant(at)}>{age ?? text}</time>;
}
