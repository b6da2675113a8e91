import { ago, preciseInstant, shortInstant, utcInstant } from '../format/instant';

interface InstantProps {
  /** RFC 3339. */
  readonly at: string;
  /** With seconds and milliseconds. */
  readonly precise?: boolean;
  /** Adds "2 min ago" within a day. */
  readonly relative?: boolean;
}

/** A time in the viewer's zone; its title is RFC 3339 in UTC. */
export function Instant({ at, precise = false, relative = false }: InstantProps) {
  const text = precise ? preciseInstant(at) : shortInstant(at);
  const age = relative ? ago(at) : null;
  return <time dateTime={at} title={utcInstant(at)}>{age ?? text}</time>;
}
