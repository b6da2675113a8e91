import { Button } from '@mantine/core';
import { CircleAlert, CircleCheck, CircleDashed, CircleX } from 'lucide-react';
import { useState } from 'react';
import { accounts } from '#texts/account-list';
import { operatorOverview as texts } from '#texts/operator-overview';
import type { Reply } from '../../../api/call';
import { useRoute } from '../../../api/use-route';
import { Card } from '../../../components/card';
import { Instant } from '../../../components/instant';
import { ButtonLink, TextLink } from '../../../components/link';
import { Page } from '../../../components/page';
import { Part } from '../../../components/part';
import { useUtcDay } from '../../../components/use-utc-day';
import { CreateAccountDialog } from '../accounts/dialogs/create-account-dialog';
import { concernsOf, stateOf } from './attention';
import { ChartCard } from './chart-card';
import { useModelNames } from '../../models/model-names';
import classes from './overview.module.css';
import { BusiestCustomers, LowCustomers } from './customer-cards';
import { Figures } from './figures';
import { REFRESH_EVERY } from './use-sums';

const CARD_HEIGHT = 220;

function LedgerLine() {
  const checks = useRoute('ledgerChecks', {}, { refetchInterval: REFRESH_EVERY }).data;
  if (checks === undefined) return null;
  const { last } = checks;
  if (last === null) return <p className={classes['line']}><CircleDashed size={16} aria-hidden="true" />{texts.notChecked} <TextLink to="/operator/books">{texts.open}</TextLink></p>;
  if (last.differences > 0) return <p className={`${classes['line']} ${classes['bad']}`}><CircleX size={16} aria-hidden="true" />{texts.booksDiffer(last.differences)} <TextLink to="/operator/books">{texts.open}</TextLink></p>;
  return <p className={`${classes['line']} ${classes['good']}`}><CircleCheck size={16} aria-hidden="true" />{texts.sound} <span className="muted">{texts.checked} <Instant at={last.ended_at} relative /></span></p>;
}

function Attention() {
  const upstreams = useRoute('listUpstreams', {}, { refetchInterval: REFRESH_EVERY });
  const checks = useRoute('ledgerChecks', {}, { refetchInterval: REFRESH_EVERY });
  const payments = useRoute('readPaymentHealth', {}, { refetchInterval: REFRESH_EVERY });
  if (upstreams.data === undefined || checks.data === undefined || payments.data === undefined) return null;
  const concerns = concernsOf({ upstreams: upstreams.data.data, checks: checks.data, payments: payments.data });
  if (concerns.length === 0) return null;
  return (
    <ul className={classes['concerns']} aria-label={texts.attention}>
      {concerns.map(({ text, to }) => <li key={text}><CircleAlert size={16} aria-hidden="true" /><span>{text}</span><TextLink to={to}>{texts.open}</TextLink></li>)}
    </ul>
  );
}

const STATES = {
  failing: { icon: <CircleX size={16} aria-hidden="true" />, className: 'bad' },
  answering: { icon: <CircleCheck size={16} aria-hidden="true" />, className: 'good' },
  'not-tried': { icon: <CircleDashed size={16} aria-hidden="true" />, className: 'unknown' },
} as const;

function UpstreamLine({ upstream: { id, models } }: { readonly upstream: Reply<'listUpstreams'>['data'][number] }) {
  const state = stateOf(models);
  const modelName = useModelNames();
  const failing = models.filter(({ circuit }) => circuit === 'open').map(({ model }) => modelName(model));
  const lastAnswer = models.map(({ last_success_at: success }) => success).filter((at) => at !== null).toSorted().at(-1);
  const words = { failing: texts.failing(failing.join(', ')), answering: texts.answering, 'not-tried': texts.notTried };
  return (
    <li>
      <span className={classes[STATES[state].className]}>{STATES[state].icon}</span>
      <span><strong>{id}</strong> · {words[state]}{lastAnswer !== undefined && <div className="muted">{texts.lastAnswer} <Instant at={lastAnswer} relative /></div>}</span>
    </li>
  );
}

function UpstreamsCard() {
  const query = useRoute('listUpstreams', {}, { refetchInterval: REFRESH_EVERY });
  return (
    <Card title={texts.upstreams} aside={<TextLink to="/operator/upstreams">{texts.allUpstreams}</TextLink>}>
      <Part query={query} height={CARD_HEIGHT}>
        {({ data }) => (data.length === 0 ? <span className="muted">{texts.noUpstreams}</span> : <ul className={classes['list']}>{data.map((upstream) => <UpstreamLine key={upstream.id} upstream={upstream} />)}</ul>)}
      </Part>
    </Card>
  );
}

export function OperatorOverviewPage() {
  const today = useUtcDay();
  const [isCreating, setCreating] = useState(false);
  const actions = <><ButtonLink to="/operator/live" variant="default">{texts.live}</ButtonLink><Button onClick={() => setCreating(true)}>{accounts.create}</Button></>;
  return (
    <Page title={texts.title} help={texts.help} action={actions}>
      <Attention />
      <Figures today={today} foot={<LedgerLine />} />
      <div className={classes['two']}><ChartCard today={today} /><UpstreamsCard /></div>
      <div className={classes['halves']}><BusiestCustomers today={today} /><LowCustomers today={today} /></div>
      <CreateAccountDialog opened={isCreating} onClose={() => setCreating(false)} />
    </Page>
  );
}
