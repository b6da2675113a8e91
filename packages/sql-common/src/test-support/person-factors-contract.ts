import { afterEach, describe, expect, it } from '@jest/globals';
import { aBrowser, aPassword, NEXT_PASSWORD, PeopleDriver, type PeopleSubject, STORE_NOON } from '@tollgate/testkit';

export interface FactorSubject {
  readonly subject: PeopleSubject;
  /** Runs a statement beside the gateways. */
  readonly run: (statement: string) => Promise<void>;
}

/** Second factors in the tables, written past the gateways. */
export function personFactorsContract(database: string, make: () => Promise<FactorSubject>): void {
  describe(`second factors in ${database}`, () => {
    let close: () => Promise<void> | undefined = () => undefined;
    afterEach(() => close());

    it('are asked for on every way in once they are confirmed, and are gone after a reset by mail', async () => {
      const { subject, run } = await make();
      close = () => subject.close?.();
      const driver = new PeopleDriver(subject);
      const { id } = await driver.start();
      const enrol = (name: string, kind: string, confirmedAt: number | null): Promise<void> => run(
        `insert into person_factors (id, person_id, kind, secret, created_at, confirmed_at) values ('${name}', '${id}', '${kind}', '-', 1, ${confirmedAt})`,
      );
      const cookie = await driver.cookie();
      const current = () => driver.sessions.current(aBrowser(cookie), STORE_NOON);
      await enrol('factor_1', 'totp', null);
      expect(await current()).toMatchObject({ reach: 'full', person: { factors: [] } });
      await enrol('factor_2', 'passkey', 1);
      await run("update person_factors set confirmed_at = 1 where id = 'factor_1'");
      expect(await current()).toMatchObject({ reach: 'prove-factor', person: { factors: ['totp', 'passkey'] } });
      const link = await driver.sessions.signIn(aBrowser(), { kind: 'link', token: await driver.token(id, 'sign-in') }, STORE_NOON);
      expect(link).toMatchObject({ signedIn: { reach: 'prove-factor' } });
      await expect(enrol('factor_3', 'totp', null)).rejects.toThrow(/unique/i);
      const token = await driver.token(id, 'reset-password');
      expect(await driver.directory.redeem({ purpose: 'reset-password', token, password: aPassword(NEXT_PASSWORD) }, STORE_NOON)).toMatchObject({ factors: [] });
      expect(await driver.signIn(NEXT_PASSWORD)).toMatchObject({ signedIn: { reach: 'full' } });
    });
  });
}
