import { tabs } from '#texts/operator-accounts';
import { useRoute } from '../../../../api/use-route';
import { WithoutLinks } from '../../../../components/link';
import { Note } from '../../../../components/note';
import { Part } from '../../../../components/part';
import { utcDay } from '../../../../format/day';
import { gatewayTimeAt } from '../../../../format/gateway-time';
import { ChangesCard } from '../../../overview/changes-card';
import { LimitsCard } from '../../../overview/limits-card';
import { SpendCard } from '../../../overview/spend-card';
import { Tiles } from '../../../overview/tiles';
import type { AccountDetail } from '../acts/account-data';
import classes from './tabs.module.css';

const OVERVIEW_HEIGHT = 640;

/** The account as its owner sees it, read only; viewing it is audited. */
export function OwnerTab({ account: { id, email } }: { readonly account: AccountDetail }) {
  const query = useRoute('viewOverview', { params: { id } });
  const today = utcDay(gatewayTimeAt(query.dataUpdatedAt));
  return (
    <>
      <Note kind="warning">{tabs.ownerBanner(email)} {tabs.ownerMore}</Note>
      <Part query={query} height={OVERVIEW_HEIGHT}>
        {(overview) => (
          <WithoutLinks>
            <div className={classes['owner']}>
              <Tiles overview={overview} today={today} />
              <SpendCard days={overview.days} today={today} />
              <div className={classes['limits']}>
                <LimitsCard account={overview.account} />
                <ChangesCard entries={overview.activity} scope="all" />
              </div>
            </div>
          </WithoutLinks>
        )}
      </Part>
    </>
  );
}
