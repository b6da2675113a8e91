/** Causes of failures, by what an operator can do. `other`: the code names the cause. */
export const MAIL_FAILURE_REASONS = [
  'expired', 'unreachable', 'timed-out', 'encryption', 'credentials', 'sender', 'no-such-address', 'mailbox-full', 'too-large', 'policy', 'try-later', 'refused', 'file', 'other',
] as const;
export type MailFailureReason = (typeof MAIL_FAILURE_REASONS)[number];

const CODES = new Map<string, MailFailureReason>(Object.entries({
  expired: 'expired', ECONNREFUSED: 'unreachable', ECONNECTION: 'unreachable', ECONNRESET: 'unreachable', ESOCKET: 'unreachable', EDNS: 'unreachable', ENOTFOUND: 'unreachable',
  EAI_AGAIN: 'unreachable', EHOSTUNREACH: 'unreachable', ENETUNREACH: 'unreachable', EPIPE: 'unreachable', ETIMEDOUT: 'timed-out', ETLS: 'encryption', CERT_HAS_EXPIRED: 'encryption',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'encryption', SELF_SIGNED_CERT_IN_CHAIN: 'encryption', UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'encryption', UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'encryption',
  EAUTH: 'credentials', ENOAUTH: 'credentials', EENVELOPE: 'no-such-address', ENOSPC: 'file', EACCES: 'file', EROFS: 'file', ENOENT: 'file', EDQUOT: 'file',
} as const));

/** Enhanced codes of RFC 3463: subject and detail are the same for temporary and permanent failures. */
const ENHANCED: readonly (readonly [RegExp, MailFailureReason])[] = [
  [/^1\.[78]$/, 'sender'], [/^1\.\d+$/, 'no-such-address'], [/^2\.1$/, 'no-such-address'], [/^2\.2$/, 'mailbox-full'], [/^2\.3$/, 'too-large'], [/^3\.4$/, 'too-large'],
  [/^7\.(?:8|9|11|13)$/, 'credentials'], [/^7\.\d+$/, 'policy'],
];

/** Codes of RFC 5321 and RFC 4954, for replies without an enhanced code. */
const REPLIES: Readonly<Record<number, MailFailureReason>> = {
  530: 'credentials', 534: 'credentials', 535: 'credentials', 538: 'credentials', 550: 'no-such-address', 551: 'no-such-address', 552: 'mailbox-full', 553: 'sender', 452: 'mailbox-full',
};

/** Reason for the code of a failed attempt: the system's, the library's, or the server's, such as `550 5.1.1`. */
export function mailFailureReason(code: string): MailFailureReason {
  const known = CODES.get(code);
  if (known !== undefined) return known;
  if (code.startsWith('ERR_SSL') || code.startsWith('ERR_TLS') || code.startsWith('CERT_')) return 'encryption';
  const [, reply = '', detail = null] = /^(\d{3})(?: \d\.(\d{1,3}\.\d{1,3}))?$/.exec(code) ?? [];
  if (reply === '') return 'other';
  const byDetail = detail === null ? undefined : ENHANCED.find(([pattern]) => pattern.test(detail))?.[1];
  return byDetail ?? REPLIES[Number(reply)] ?? (reply.startsWith('4') ? 'try-later' : 'refused');
}
