import { strict as assert } from 'node:assert';
import { type Instant, MILLISECONDS_PER_DAY, SYSTEM_ACTOR } from '@tollgate/core';
import { Machines } from '@tollgate/identity';
import { heading, shown } from '../driver/page-states.js';
import type { Resident } from '../world/open-world.js';
import type { Check, CheckContext } from './check.js';

const SCRIPT = ['java', 'script:alert(1)'].join('');

/** Addresses outside the dashboard. The API refuses them, and a link that was changed to contain one does not lead there. */
const ELSEWHERE = [
  'https://evil.example/', '//evil.example', '/\\evil.example', SCRIPT, '/dashboard//evil.example', '/dashboard/\\evil.example', '/dashboard/%2F%2Fevil.example', '/dashboard/%5Cevil.example',
  '/dashboard/../v1/account', '/dashboard.evil.example', '%2F%2Fevil.example', 'dashboard/keys', '/dashboard/keys#//evil.example', '/dashboard\n//evil.example', '',
];

interface Portal {
  /** Asks for a link. Resolves with the status, and with the address or the name of the refused parameter. */
  link(returnTo?: string): Promise<readonly [status: number, urlOrParam: string | null]>;
}

/** Creates a machine, and resolves with a portal that uses it. */
async function openPortal({ world: { gateway, clock }, record }: CheckContext, { accountId }: Resident): Promise<Portal> {
  const at = clock.now();
  const made = await gateway.container.get(Machines).create({ name: 'Portal', scopes: ['sign-in:write'], networks: [], expiresAt: (at + MILLISECONDS_PER_DAY) as Instant }, { actor: SYSTEM_ACTOR, at });
  if (made.outcome !== 'created') throw new Error(`the machine was not created: ${made.outcome}`);
  const secret = made.issued.secret.reveal();
  record.addSecret('key', secret);
  return {
    link: async (returnTo) => {
      const response = await fetch(`${gateway.url}/admin/v1/accounts/${accountId}/sign-in-links`, {
        method: 'POST', headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' }, body: JSON.stringify(returnTo === undefined ? {} : { return_to: returnTo }),
      });
      const { url, error } = await response.json() as { readonly url?: string; readonly error?: { readonly param: string | null } };
      const token = /#token=([\w-]+)/.exec(url ?? '')?.[1];
      if (token !== undefined) record.addSecret('one-time token', token);
      return [response.status, url ?? error?.param ?? null];
    },
  };
}

/** Opens a link and signs in by the button on the page; resolves with the final address, without the origin. */
async function followed(context: CheckContext, link: string): Promise<string> {
  const { page } = await context.page();
  await page.goto(link);
  const button = page.getByRole('button', { name: 'Sign in', exact: true });
  await button.click();
  await button.waitFor({ state: 'detached' });
  await shown(heading(page));
  const { origin, pathname, search, hash } = new URL(page.url());
  assert.equal(origin, context.world.origin);
  await context.closePages();
  return pathname + search + hash;
}

async function leadsToPages(context: CheckContext): Promise<void> {
  const portal = await openPortal(context, await context.owner());
  for (const [returnTo, end] of [[undefined, '/dashboard/overview'], ['/dashboard/keys', '/dashboard/keys'], ['/dashboard/account?tab=security', '/dashboard/account?tab=security']] as const) {
    const [status, url] = await portal.link(returnTo);
    assert.equal(status, 201);
    assert.equal(await followed(context, url ?? ''), end);
  }
  for (const returnTo of ELSEWHERE) assert.deepEqual([returnTo, ...await portal.link(returnTo)], [returnTo, 400, 'return_to']);
  for (const returnTo of ELSEWHERE) {
    const [, url] = await portal.link();
    const end = await followed(context, `${url ?? ''}&return_to=${encodeURIComponent(returnTo)}`);
    assert.match(end, /^\/dashboard(?:\/[\w%.-]+)+(?:[?#]|$)/, `${JSON.stringify(returnTo)} led to ${end}`);
  }
}

export const machinesLink: Check = { number: 29, title: 'A machine’s sign-in link ends at its page of the dashboard; other addresses are refused, and an altered link leads to none', run: (context) => context.apart(leadsToPages) };
