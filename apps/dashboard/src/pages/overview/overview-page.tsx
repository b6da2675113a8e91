import type { UseQueryResult } from '@tanstack/react-query';
import { useEffect } from 'react';
import { overview as texts } from '#texts/overview';
import { useRoute } from '../../api/use-route';
import { ButtonLink } from '../../components/link';
import { Page } from '../../components/page';
import { Part } from '../../components/part';
import { useUtcDay } from '../../components/use-utc-day';
import { isZero } from '../../format/amount';
import { utcDay } from '../../format/day';
import { gatewayTimeAt } from '../../format/gateway-time';
import { ChangesCard } from './changes-card';
import { GetStarted, useFirstSteps } from './get-started';
import { LimitsCard } from './limits-card';
import { OverviewLoading } from './overview-loading';
import classes from './overview.module.css';
import { RefusalsCard } from './refusals-card';
import { SpendCard } from './spend-card';
import { Tiles } from './tiles';

/** Refetches when a UTC day begins. */
function useReadEachDay({ dataUpdatedAt, refetch }: Pick<UseQueryResult, 'dataUpdatedAt' | 'refetch'>): void {
  const day = useUtcDay();
  const isOld = dataUpdatedAt > 0 && utcDay(gatewayTimeAt(dataUpdatedAt)) < day;
  useEffect(() => { if (isOld) void refetch(); }, [isOld, refetch]);
}

export function OverviewPage() {
  const query = useRoute('overview', {});
  const today = utcDay(gatewayTimeAt(query.dataUpdatedAt));
  useReadEachDay(query);
  const steps = useFirstSteps(query.data);
  const actions = (
    <>
      <ButtonLink to="/playground" search={{ try: '1' }} variant="default">{texts.tryModel}</ButtonLink>
      <ButtonLink to="/keys" search={{ create: '1' }}>{texts.create}</ButtonLink>
    </>
  );
  return (
    <Page title={texts.title} action={actions}>
      <Part query={query} height={<OverviewLoading />}>
        {(overview) => {
          const isCharged = overview.days.some(({ charged }) => !isZero(charged.svc_tokens));
          return (
            <div className={classes['page']}>
              <Tiles overview={overview} today={today} />
              {steps !== null && <GetStarted steps={steps} overview={overview} />}
              {(isCharged || steps === null) && <SpendCard days={overview.days} today={today} />}
              <div className={classes['two']}>
                <LimitsCard account={overview.account} />
                <ChangesCard entries={overview.activity} />
              </div>
              <RefusalsCard refusals={overview.refusals} />
            </div>
          );
        }}
      </Part>
    </Page>
  );
}
