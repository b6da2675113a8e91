import { GatewayError } from '../errors/gateway-error.js';
import type { Clock } from '../primitives/clock.js';
import { type Instant, instant, later, MILLISECONDS_PER_MINUTE, MILLISECONDS_PER_SECOND } from '../primitives/time.js';
import type { SharedCounter } from './shared-counter.js';

/** A request is one unit, and one more for each full 64 KiB of its body. */
export const BYTES_PER_UNIT = 65_536;
/** Units per 60-second window above which refusals are delayed. */
export const HEAVY_UNITS = 60;
/** Maximum windows, one per name; above it, the oldest are dropped. */
export const MAX_NAMES = 100_000;

/** Units of one name, such as an account or a network, in a 60-second window. */
interface Bucket {
  readonly name: string;
  used: number;
  /** Units of requests that may still be admitted. */
  pending: number;
  endsAt: Instant;
}

export interface UnbilledWorkPorts {
  readonly clock: Clock;
  /** `null` for a single gateway. */
  readonly shared: SharedCounter | null;
}

export interface UnbilledBound {
  readonly name: string;
  /** 0 for no limit. */
  readonly unitsPerMinute: number;
  /** Per window; above it, refusals are delayed. */
  readonly heavyUnits: number;
}

/** Units of one request; returned if it is admitted, otherwise they stay counted. */
export interface UnbilledClaim {
  /** True if the request is not admitted and the units of one of its names, including those of this request, exceed `heavyUnits`. */
  readonly isHeavy: boolean;
  /** Counts bytes of the body as they arrive. */
  take(bytes: number): void;
  /** Throws `rate_limit_exceeded` if the units taken so far exceed a limit. */
  check(): void;
  /** Called at admission: the plan limits the request from then on. */
  giveBack(): void;
  /** Units that were not returned stay counted. */
  end(): void;
}

const UNLIMITED: UnbilledClaim = { isHeavy: false, take: () => undefined, check: () => undefined, giveBack: () => undefined, end: () => undefined };

/** Limits requests that no plan limits: refusals, reads and replays. Counts units per name in windows of 60 seconds. */
export class UnbilledWork {
  /** Ordered by start of the window. */
  readonly #buckets = new Map<string, Bucket>();

  /** @param message The beginning of a refusal's message. */
  constructor(private readonly ports: UnbilledWorkPorts, private readonly message: string) {}

  get names(): number {
    return this.#buckets.size;
  }

  /**
   * Takes one unit of each name. If any name is at its limit, takes none and throws `rate_limit_exceeded`. Running requests may exceed the limit by
   * `atOnce` units, so that a plan's concurrent requests never reach it.
   */
  ask(bounds: readonly UnbilledBound[], atOnce: number): UnbilledClaim {
    const known: KnownShare[] = [];
    for (const bound of bounds) if (bound.unitsPerMinute > 0) known.push({ bound, bucket: this.#find(bound.name) });
    if (known.length === 0) return UNLIMITED;
    this.refuseIfFull(known, { units: 1, own: 0, atOnce });
    // Windows open only now: if refused requests opened windows too, one network could fill the table of names. A new window may drop an older one.
    return new Claim(this, known.map(({ bound }) => ({ bound, bucket: this.#bucketOf(bound.name) })), atOnce);
  }

  /** Takes one unit of each name and never returns it. Throws as `ask` does. */
  count(bounds: readonly UnbilledBound[]): UnbilledClaim {
    const claim = this.ask(bounds, 0);
    claim.end();
    return claim;
  }

  /** Called by claims. */
  use(bucket: Bucket, units: number): void {
    const now = this.ports.clock.now();
    const current = bucket.endsAt > now ? bucket : this.#bucketOf(bucket.name);
    current.used += units;
    this.ports.shared?.add(bucket.name, units, MILLISECONDS_PER_MINUTE).then(({ total, endsInMilliseconds }) => {
      current.used = total;
      current.endsAt = later(this.ports.clock.now(), endsInMilliseconds);
    }, () => undefined);
  }

  /** Called by claims. If any name has reached its limit, throws `rate_limit_exceeded` with the longest wait of these names. */
  refuseIfFull(shares: readonly KnownShare[], demand: Demand): void {
    let longest: Share | null = null;
    for (const { bound, bucket } of shares) {
      if (bucket === null || fits(bucket, bound, demand)) continue;
      if (longest === null || bucket.endsAt > longest.bucket.endsAt) longest = { bound, bucket };
    }
    if (longest !== null) throw this.#refusalOf(longest);
  }

  #refusalOf({ bound, bucket }: Share): GatewayError {
    const resetSeconds = Math.max(1, Math.ceil((bucket.endsAt - this.ports.clock.now()) / MILLISECONDS_PER_SECOND));
    return new GatewayError('rate_limit_exceeded', `${this.message} This does not count against the limits of a plan.`, {
      retryAfterSeconds: resetSeconds, window: { limit: bound.unitsPerMinute, resetSeconds },
    });
  }

  /** Renews an expired window; `null` if the name is not counted. */
  #find(name: string): Bucket | null {
    return this.#buckets.has(name) ? this.#bucketOf(name) : null;
  }

  #bucketOf(name: string): Bucket {
    const now = this.ports.clock.now();
    const known = this.#buckets.get(name);
    if (known !== undefined && known.endsAt > now) return known;
    const fresh = known ?? { name, used: 0, pending: 0, endsAt: instant(0) };
    fresh.used = 0;
    fresh.endsAt = later(now, MILLISECONDS_PER_MINUTE);
    this.#buckets.delete(name);
    this.#buckets.set(name, fresh);
    this.#forgetOldest(now);
    return fresh;
  }

  /** Removes expired windows, and the oldest windows above `MAX_NAMES`. */
  #forgetOldest(now: Instant): void {
    for (const [name, { endsAt, pending }] of this.#buckets) {
      if (this.#buckets.size <= MAX_NAMES && (endsAt > now || pending > 0)) return;
      this.#buckets.delete(name);
    }
  }
}

interface KnownShare {
  readonly bound: UnbilledBound;
  /** `null` if the name is not counted yet. */
  readonly bucket: Bucket | null;
}

interface Share extends KnownShare {
  readonly bucket: Bucket;
}

interface Demand {
  readonly units: number;
  /** The part of `units` that is pending already. */
  readonly own: number;
  readonly atOnce: number;
}

function fits({ used, pending }: Bucket, { unitsPerMinute }: UnbilledBound, { units, own, atOnce }: Demand): boolean {
  return used + units <= unitsPerMinute && used + pending - own + units <= unitsPerMinute + atOnce;
}

class Claim implements UnbilledClaim {
  #bytes = 0;
  #units = 1;
  #isOpen = true;
  #isAdmitted = false;

  constructor(private readonly work: UnbilledWork, private readonly shares: readonly Share[], private readonly atOnce: number) {
    this.#addPending(1);
  }

  take(bytes: number): void {
    if (!this.#isOpen) return;
    this.#bytes += bytes;
    const units = 1 + Math.floor(this.#bytes / BYTES_PER_UNIT);
    this.#addPending(units - this.#units);
    this.#units = units;
  }

  get isHeavy(): boolean {
    const own = this.#isOpen ? this.#units : 0;
    return !this.#isAdmitted && this.shares.some(({ bucket, bound }) => bucket.used + own > bound.heavyUnits);
  }

  check(): void {
    this.work.refuseIfFull(this.shares, { units: this.#units, own: this.#isOpen ? this.#units : 0, atOnce: this.atOnce });
  }

  giveBack(): void {
    this.#isAdmitted = true;
    this.#close();
  }

  end(): void {
    if (!this.#close()) return;
    for (const { bucket } of this.shares) this.work.use(bucket, this.#units);
  }

  /** False if the claim was already closed. */
  #close(): boolean {
    if (!this.#isOpen) return false;
    this.#isOpen = false;
    this.#addPending(-this.#units);
    return true;
  }

  #addPending(units: number): void {
    for (const { bucket } of this.shares) bucket.pending += units;
  }
}
