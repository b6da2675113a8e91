import { later, MILLISECONDS_PER_DAY, MILLISECONDS_PER_HOUR } from '@tollgate/core';
import { services } from '@tollgate/gateway';
import { MAIL_RANKS, type MailId, type MailName, type StoredMail } from '@tollgate/identity';
import type { Resident, World } from '../world/open-world.js';

type End = 'delivered' | { readonly givenUp: string } | { readonly retried: string };

/** Adds delivered, abandoned and waiting messages to the residents, so that every state has a row. */
export async function addMail({ gateway, clock }: World, residents: readonly Resident[]): Promise<void> {
  const mail = gateway.container.get(services.mailOutbox);
  const end = clock.now();
  let number = 0;
  const add = async ({ email, accountId }: Pick<Resident, 'email' | 'accountId'>, kind: MailName, how: End) => {
    number += 1;
    const at = later(end, number * MILLISECONDS_PER_HOUR - MILLISECONDS_PER_DAY);
    const stored: StoredMail = {
      id: `mail_picture${number}` as MailId, kind, to: email, accountId, rank: 'operator', reference: `picture ${number}`, subject: 'Picture', text: 'Picture', html: 'Picture', storedAt: at,
      expiresAt: later(at, MILLISECONDS_PER_DAY),
    };
    await mail.store(stored);
    const [claim] = await mail.claim({ at, leaseExpiresAt: later(at, 1), most: 1, ranks: MAIL_RANKS });
    if (claim === undefined) throw new Error('the message is not due');
    if (how === 'delivered') await mail.finish(claim, { state: 'delivered' }, later(at, 1000));
    else if ('givenUp' in how) await mail.finish(claim, { state: 'given-up', failure: how.givenUp }, later(at, 1000));
    else await mail.putOff(claim, { at, until: later(end, MILLISECONDS_PER_HOUR) }, how.retried);
  };
  for (const resident of residents) {
    await add(resident, 'verify-address', 'delivered');
    await add(resident, 'reset-password', { givenUp: '550 5.1.1' });
    await add(resident, 'balance-low', 'delivered');
    await add(resident, 'factor-changed', { givenUp: 'expired' });
  }
  const [first] = residents;
  if (first !== undefined) await add(first, 'invitation', { retried: '450 4.2.2' });
}
