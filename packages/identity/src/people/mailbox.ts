/** How a provider's addresses name its mailboxes, beside the tag that begins with a plus sign, which most servers understand. */
interface Provider {
  /** All of them lead to the mailbox of the first. */
  readonly domains: readonly string[];
  /** Characters of the local part that make no difference. */
  readonly ignored?: RegExp;
}

const PROVIDERS: readonly Provider[] = [
  { domains: ['gmail.com', 'googlemail.com'], ignored: /\./g },
  { domains: ['icloud.com', 'me.com', 'mac.com'] },
  { domains: ['proton.me', 'protonmail.com', 'protonmail.ch', 'pm.me'], ignored: /[._-]/g },
  { domains: ['yandex.ru', 'yandex.com', 'yandex.by', 'yandex.kz', 'yandex.ua', 'ya.ru'], ignored: /[.-]/g },
  { domains: ['fastmail.com', 'fastmail.fm'] },
];
/** Their addresses have no hyphen, which begins the tag of a disposable one. */
const HYPHEN_TAGS = /^(?:yahoo\.[a-z.]{2,7}|ymail\.com|rocketmail\.com)$/;
/** `anything@name.fastmail.com` leads to the mailbox of `name@fastmail.com`. */
const SUBDOMAINS_OF = ['fastmail.com', 'fastmail.fm'];

const BY_DOMAIN: ReadonlyMap<string, Provider> = new Map(PROVIDERS.flatMap((provider) => provider.domains.map((domain) => [domain, provider] as const)));

function beforeTag(local: string, tag: string): string {
  const at = local.indexOf(tag);
  return at > 0 ? local.slice(0, at) : local;
}

/**
 * One text for all addresses that are known to lead to the same mailbox: without tags, and without the dots and alias domains of large providers. Only for
 * telling mailboxes apart; no mail goes there and no one signs in with it. The address is folded.
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
