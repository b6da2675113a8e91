import { GatewayError } from '../errors/gateway-error.js';
import type { Clock } from '../primitives/clock.js';
import { type Instant, instant, later, MILLISECONDS_PER_MINUTE, MILLISECONDS_PER_SECOND } from '../primitives/time.js';
import type { SharedCounter } from './shared-counter.js';

/** Bytes of a body that count as much as a request. */
export const BYTES_PER_UNIT = 65_536;
/** Units in a window from which on a client counts as heavy: one a second. */
export const HEAVY_UNITS = 60;
/** Names that are counted at the same time; beyond it the oldest window is forgotten. */
export const MOST_NAMES = 100_000;

/** One name's units in a window of a minute. */
interface Bucket {
  readonly name: string;
  used: number;
  /** Of requests that may yet be admitted. */
  pending: number;
  endsAt: Instant;
}

export interface UnbilledWorkPorts {
  readonly clock: Clock;
  /** `null` for a gateway that counts alone. */
  readonly shared: SharedCounter | null;
}

/** One of the names for which a request is counted. */
export interface UnbilledBound {
  readonly name: string;
  /** 0 is no limit. */
  readonly unitsPerMinute: number;
  /** Units in a window beyond which refusals of the name are delayed. */
  readonly heavyUnits: number;
}

/** What one request takes until it is admitted; else it stays taken once the request has ended. */
export interface UnbilledClaim {
  /** True if the request is not admitted and one of its names is heavy, with the units of this request. */
  readonly isHeavy: boolean;
  /** Takes a unit for each 64 KiB of a body. */
  take(bytes: number): void;
  /** Throws `rate_limit_exceeded` when more was taken than the limit allows. */
  check(): void;
  /** The request is admitted by its plan, and bounded by that. */
  giveBack(): void;
  /** The request is over. What was not given back stays taken. */
  end(): void;
}

const UNLIMITED: UnbilledClaim = { isHeavy: false, take: () => undefined, check: () => undefined, giveBack: () => undefined, end: () => undefined };

/** Limits what requests cost that no plan limits: refused ones, reads, repeated replies. Counts units in windows of a minute for each name. */
export class UnbilledWork {
  /** In the order in which their windows began. */
  readonly #buckets = new Map<string, Bucket>();

  /** @param message Begins the message of a refusal. */
  constructor(private readonly ports: UnbilledWorkPorts, private readonly message: string) {}

  get names(): number {
    return this.#buckets.size;
  }

  /**
   * Takes one unit of each name, or throws `rate_limit_exceeded` and takes none if one name has no units left. `atOnce` more may be taken
   * for as long as their requests run, so that the requests that a plan serves concurrently never meet the limit.
   */
  ask(bounds: readonly UnbilledBound[], atOnce: number): UnbilledClaim {
    const limited = bounds.filter(({ unitsPerMinute }) => unitsPerMinute > 0);
    if (limited.length === 0) return UNLIMITED;
    const full = limited.flatMap((bound) => {
      // A refused request begins no window: else one network could fill the names that are counted.
      const bucket = this.#find(bound.name);
      return bucket === null || fits(bucket, bound, { units: 1, others: bucket.pending, atOnce }) ? [] : [{ bound, bucket }];
    });
    if (full.length > 0) throw this.refusalOf(full);
    return new Claim(this, limited.map((bound) => ({ bound, bucket: this.#bucketOf(bound.name) })), atOnce);
  }

  /** Takes one unit of each name for good. */
  count(bounds: readonly UnbilledBound[]): UnbilledClaim {
    const claim = this.ask(bounds, 0);
    claim.end();
    return claim;
  }

  /** For its claims. */
  use(bucket: Bucket, units: number): void {
    const now = this.ports.clock.now();
    const current = bucket.endsAt > now ? bucket : this.#bucketOf(bucket.name);
    current.used += units;
    this.ports.shared?.add(bucket.name, units, MILLISECONDS_PER_MINUTE).then(({ total, endsInMilliseconds }) => {
      current.used = total;
      current.endsAt = later(this.ports.clock.now(), endsInMilliseconds);
    }, () => undefined);
  }

  /** For its claims. States the window of the name that has to wait longest. */
  refusalOf(full: readonly Share[]): GatewayError {
    const { bound, bucket } = full.reduce((longest, share) => (share.bucket.endsAt > longest.bucket.endsAt ? share : longest));
    const resetSeconds = Math.max(1, Math.ceil((bucket.endsAt - this.ports.clock.now()) / MILLISECONDS_PER_SECOND));
    return new GatewayError('rate_limit_exceeded', `${this.message} No limit of a plan was touched.`, {
      retryAfterSeconds: resetSeconds, window: { limit: bound.unitsPerMinute, resetSeconds },
    });
  }

  /** Begins a new window if the last one of the name is over; `null` if the name is not counted. */
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

  /** Forgets windows that are over, and more of the oldest where there are too many. */
  #forgetOldest(now: Instant): void {
    for (const [name, { endsAt, pending }] of this.#buckets) {
      if (this.#buckets.size <= MOST_NAMES && (endsAt > now || pending > 0)) return;
      this.#buckets.delete(name);
    }
  }
}

/** A name of one claim. */
interface Share {
  readonly bound: UnbilledBound;
  readonly bucket: Bucket;
}

interface Demand {
  readonly units: number;
  /** Pending units of other requests. */
  readonly others: number;
  readonly atOnce: number;
}

function fits({ used }: Bucket, { unitsPerMinute }: UnbilledBound, { units, others, atOnce }: Demand): boolean {
  return used + units <= unitsPerMinute && used + others + units <= unitsPerMinute + atOnce;
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
    const units = this.#units;
    const own = this.#isOpen ? units : 0;
    const full = this.shares.filter(({ bucket, bound }) => !fits(bucket, bound, { units, others: bucket.pending - own, atOnce: this.atOnce }));
    if (full.length > 0) throw this.work.refusalOf(full);
  }

  giveBack(): void {
    this.#isAdmitted = true;
    this.#close();
  }

  end(): void {
    if (!this.#close()) return;
    for (const { bucket } of this.shares) this.work.use(bucket, this.#units);
  }

  /** Returns whether it was open. */
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
