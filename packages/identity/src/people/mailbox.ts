/** Rules by which addresses of a mail provider reach one mailbox. Tags after a plus sign are ignored for every address. */
interface Provider {
  /** Domains of the provider. All but the first are aliases of the first. */
  readonly domains: readonly string[];
  /** Characters of the local part that the provider ignores. */
  readonly ignored?: RegExp;
}

const PROVIDERS: readonly Provider[] = [
  { domains: ['gmail.com', 'googlemail.com'], ignored: /\./g },
  { domains: ['icloud.com', 'me.com', 'mac.com'] },
  { domains: ['proton.me', 'protonmail.com', 'protonmail.ch', 'pm.me'], ignored: /[._-]/g },
  { domains: ['yandex.ru', 'yandex.com', 'yandex.by', 'yandex.kz', 'yandex.ua', 'ya.ru'], ignored: /[.-]/g },
  { domains: ['fastmail.com', 'fastmail.fm'] },
];
/** Providers where a hyphen occurs only before the tag of a disposable address. */
const HYPHEN_TAGS = /^(?:yahoo\.[a-z.]{2,7}|ymail\.com|rocketmail\.com)$/;
/** `anything@name.fastmail.com` is delivered to `name@fastmail.com`. */
const SUBDOMAINS_OF = ['fastmail.com', 'fastmail.fm'];

const BY_DOMAIN: ReadonlyMap<string, Provider> = new Map(PROVIDERS.flatMap((provider) => provider.domains.map((domain) => [domain, provider] as const)));

function beforeTag(local: string, tag: string): string {
  const at = local.indexOf(tag);
  return at > 0 ? local.slice(0, at) : local;
}

/**
 * A name that the addresses of one mailbox share: without tags, and without the dots and domain aliases of large providers. Only for comparison, not
 * for delivery or sign-in. `email` must be folded.
 */
export function mailboxNameOf(email: string): string {
  const at = email.lastIndexOf('@');
  const [local, domain] = [email.slice(0, at), email.slice(at + 1)];
  const parent = SUBDOMAINS_OF.find((each) => domain.endsWith(`.${each}`));
  if (parent !== undefined) return mailboxNameOf(`${domain.slice(0, -parent.length - 1)}@${parent}`);
  const { domains: [first = domain], ignored } = BY_DOMAIN.get(domain) ?? { domains: [domain] };
  const untagged = beforeTag(HYPHEN_TAGS.test(domain) ? beforeTag(local, '-') : local, '+');
  const name = ignored === undefined ? untagged : untagged.replaceAll(ignored, '');
  return `${name === '' ? untagged : name}@${first}`;
}
