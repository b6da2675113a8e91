import { tabs } from '#texts/operator-accounts';
import { useRoute } from '../../../../api/use-route';
import { Note } from '../../../../components/note';
import { Part } from '../../../../components/part';
import type { AccountDetail } from '../account-data';

const OVERVIEW_HEIGHT = 480;

/** The owner's Overview, read only. Reading it is on record. */
export function OwnerTab({ account: { id, email } }: { readonly account: AccountDetail }) {
  const overview = useRoute('viewOverview', { params: { id } });
  return (
    <>
      <Note kind="info" announced>{tabs.ownerBanner(email)} {tabs.ownerMore}</Note>
      <Part query={overview} height={OVERVIEW_HEIGHT}>{() => null}</Part>
    </>
  );
}
