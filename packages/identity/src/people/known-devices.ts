import { type Instant, later, MILLISECONDS_PER_DAY, MILLISECONDS_PER_SECOND, type PersonId } from '@tollgate/core';
import type { BrowserStanding } from '../attempts/failures-in-a-row.js';
import type { BrowserRequest } from '../cookies/browser-request.js';
import { browserCookie, type CookieForm, cookieValuesIn } from '../cookies/cookies.js';
import type { PersonRecord, PersonRecords } from './person-records.js';

const KNOWN_DAYS = 180;

/** Time after a sign-in for which the browser is known. */
export const DEVICE_KNOWN_MILLISECONDS = KNOWN_DAYS * MILLISECONDS_PER_DAY;
/** Maximum number of people known in one browser; the earliest sign-ins are dropped. */
export const MAX_PEOPLE_PER_DEVICE = 5;

/** The cookie with the marks of a browser, apart from the session cookie. */
export const SECURE_DEVICE_COOKIE: CookieForm = { name: '__Host-tollgate_device', secure: true };
export const LOOPBACK_DEVICE_COOKIE: CookieForm = { name: 'tollgate_device', secure: false };

/** A mark: the time of a person's sign-in in seconds, and a signature. Identifies no one. */
const MARK = String.raw`[0-9a-z]{1,8}\.[A-Za-z0-9_-]{22}`;
const MARKS = new RegExp(`^${MARK}(?:~${MARK}){0,${MAX_PEOPLE_PER_DEVICE - 1}}$`);
const RADIX = 36;

export interface KnownDevicesParts {
  readonly people: Pick<PersonRecords, 'find' | 'findByEmail'>;
  /** `null` without an installation secret: no browser is known. */
  readonly signer: DeviceSigner | null;
  readonly cookie: CookieForm;
}

/** What a mark is bound to. */
type Marked = Pick<PersonRecord, 'passwordHash'> & { readonly person: Pick<PersonRecord['person'], 'id'> };

/** Stands for the hash of a missing password, and is as long as the hash of a password. */
const NO_PASSWORD = '-'.repeat(97);
/** Stands for a person who does not exist. Its id is as long as a real one, and no mark is ever signed for it. */
const NO_ONE: Marked = { person: { id: `person_${'-'.repeat(24)}` as PersonId }, passwordHash: null };

/**
 * Browsers that a person has signed in with. A mark is no proof of identity: it gives precedence in the queue and separate limits. It is bound to the
 * password's hash: a new password or a stronger hash invalidates the person's marks.
 */
export class KnownDevices {
  constructor(private readonly parts: KnownDevicesParts) {}

  /** True if the browser sent marks, valid or not. */
  isMarked(request: Pick<BrowserRequest, 'cookie'>): boolean {
    return this.marksIn(request).length > 0;
  }

  /** True if this person has signed in with the browser. */
  knows(request: Pick<BrowserRequest, 'cookie'>, record: Marked, at: Instant): boolean {
    return this.marksIn(request).some((mark) => this.isOf(mark, record, at));
  }

  /** Reads no record for browsers without marks. */
  async standingOf(request: Pick<BrowserRequest, 'cookie'>, id: PersonId, at: Instant): Promise<BrowserStanding> {
    const record = this.isMarked(request) ? await this.parts.people.find(id) : null;
    return record !== null && this.knows(request, record, at) ? 'known' : 'unknown';
  }

  /** The person with this address, if that person has signed in with the browser; otherwise `null`. Reads no record for browsers without marks. */
  async ownerWith(request: Pick<BrowserRequest, 'cookie'>, foldedEmail: string, at: Instant): Promise<PersonId | null> {
    if (!this.isMarked(request)) return null;
    const record = await this.parts.people.findByEmail(foldedEmail);
    // Also verifies the signatures for an address without a person, so that the time does not reveal which addresses have one.
    const isKnown = this.knows(request, record ?? NO_ONE, at);
    return record !== null && isKnown ? record.person.id : null;
  }

  /** `Set-Cookie` value with the person added; `null` without an installation secret or for an unknown person. For a complete sign-in only. */
  async remember(request: Pick<BrowserRequest, 'cookie'>, id: PersonId, at: Instant): Promise<string | null> {
    const { people, signer, cookie } = this.parts;
    const record = await people.find(id);
    if (signer === null || record === null) return null;
    const made = Math.floor(at / MILLISECONDS_PER_SECOND).toString(RADIX);
    const others = this.marksIn(request).filter((mark) => isRecent(mark, at) && !this.isOf(mark, record, at));
    const marks = [`${made}.${signer.sign(contentOf(made, record))}`, ...others].slice(0, MAX_PEOPLE_PER_DEVICE);
    return browserCookie(cookie, marks.join('~'), DEVICE_KNOWN_MILLISECONDS / MILLISECONDS_PER_SECOND);
  }

  private isOf(mark: string, record: Marked, at: Instant): boolean {
    const [made = '', signature = ''] = mark.split('.');
    return isRecent(mark, at) && this.parts.signer?.verify(contentOf(made, record), signature) === true;
  }

  private marksIn({ cookie }: Pick<BrowserRequest, 'cookie'>): readonly string[] {
    if (this.parts.signer === null) return [];
    return cookieValuesIn(cookie, this.parts.cookie, MARKS).flatMap((value) => value.split('~'));
  }
}

function isRecent(mark: string, at: Instant): boolean {
  const madeAt = Number.parseInt(mark, RADIX) * MILLISECONDS_PER_SECOND;
  return at < later(madeAt as Instant, DEVICE_KNOWN_MILLISECONDS);
}

function contentOf(made: string, { person, passwordHash }: Marked): string {
  return `${made}\0${person.id}\0${passwordHash ?? NO_PASSWORD}`;
}

export interface DeviceSigner {
  /** A signature of 22 characters of Base64url. */
  sign(content: string): string;
  /** Also accepts signatures under the previous secret. */
  verify(content: string, signature: string): boolean;
}
