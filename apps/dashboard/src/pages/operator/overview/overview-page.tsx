import { Table } from '@mantine/core';
import { CircleAlert, CircleCheck, CircleDashed, CircleX } from 'lucide-react';
import type { ReactNode } from 'react';
import { operatorOverview as texts } from '#texts/operator-overview';
import type { Reply } from '../../../api/call';
import { useRoute } from '../../../api/use-route';
import { Amount } from '../../../components/amount';
import { Card } from '../../../components/card';
import { Instant } from '../../../components/instant';
import { TextLink } from '../../../components/link';
import { Page } from '../../../components/page';
import { Part } from '../../../components/part';
import { Trend } from '../../../components/trend';
import { UnitsHelp } from '../../../components/units-help';
import { useUtcDay } from '../../../components/use-utc-day';
import { exactCount } from '../../../format/count';
import { addDays, monthLabel } from '../../../format/day';
import { lastDays, presetPeriods } from '../../../format/period';
import { shortId } from '../../../format/id';
import { concernsOf, stateOf } from './attention';
import { ChartCard } from './chart-card';
import { useModelNames } from '../../models/model-names';
import classes from './overview.module.css';
import { REFRESH_EVERY, useSums } from './use-sums';

type Summary = Reply<'allUsageSummary'>;

const MOST = 5;
const CARD_HEIGHT = 220;

function Figure({ label, children, help }: { readonly label: ReactNode; readonly children: ReactNode; readonly help: ReactNode }) {
  return <div className={classes['figure']}><span className="muted">{label}</span><strong>{children}</strong><span className="muted">{help}</span></div>;
}

/** `undefined` while it loads. */
function Money({ sums }: { readonly sums: Summary | undefined }) {
  return sums === undefined ? <>–</> : <Amount value={sums.total.svc_tokens_debited} usd={sums.total.svc_cost_usd} />;
}

function Figures({ today }: { readonly today: string }) {
  const yesterday = addDays(today, -1);
  const [week, month] = [lastDays(7, today), presetPeriods(today).thisMonth];
  const [now, before, ofWeek, ofWeekBefore, ofMonth] = [
    useSums(today, today).data, useSums(yesterday, yesterday).data, useSums(week.first, today).data, useSums(addDays(week.first, -7), addDays(week.first, -1)).data, useSums(month.first, today).data,
  ];
  return (
    <Card label={texts.today}>
      <div className={classes['figures']}>
        <Figure label={<><TextLink to="/operator/usage" search={{ start: today, end: today }}>{texts.today}</TextLink> <UnitsHelp /></>} help={before === undefined ? '' : <><Money sums={before} /> {texts.yesterday}</>}><Money sums={now} /></Figure>
        <Figure label={texts.requests} help={before === undefined ? '' : texts.requestsYesterday(before.total.requests)}>{now === undefined ? '–' : <span className="num">{exactCount(now.total.requests)}</span>}</Figure>
        <Figure label={<TextLink to="/operator/usage" search={{ start: week.first, end: today }}>{texts.week}</TextLink>} help={ofWeek === undefined || ofWeekBefore === undefined ? '' : <Trend now={ofWeek.total.svc_cost_usd} before={ofWeekBefore.total.svc_cost_usd} period={texts.weekBefore} />}><Money sums={ofWeek} /></Figure>
        <Figure label={<TextLink to="/operator/usage" search={{ start: month.first, end: today }}>{texts.month(monthLabel(today, today))}</TextLink>} help=""><Money sums={ofMonth} /></Figure>
      </div>
      <LedgerLine />
    </Card>
  );
}

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

/** The id until the name is known, and for accounts that are deleted. */
function AccountLink({ id }: { readonly id: string }) {
  const { data } = useRoute('readAccount', { params: { id } });
  return <TextLink to="/operator/accounts/$id" params={{ id }}>{data?.name ?? shortId(id)}</TextLink>;
}

function CustomersCard({ today }: { readonly today: string }) {
  const query = useSums(today, today, { group_by: 'account', top: MOST });
  return (
    <Card title={texts.customers} aside={<TextLink to="/operator/accounts">{texts.allCustomers}</TextLink>}>
      <Part query={query} height={CARD_HEIGHT}>
        {({ data }) => (data.length === 0 ? <span className="muted">{texts.noCustomers}</span> : (
          <Table>
            <Table.Tbody>
              {data.map(({ group, is_other: isOther, groups, svc_tokens_debited: charged, svc_cost_usd: usd }) => (
                <Table.Tr key={group ?? ''}>
                  <Table.Th scope="row" fw={400}>{isOther || group === null ? texts.others(groups) : <AccountLink id={group} />}</Table.Th>
                  <Table.Td ta="right"><Amount value={charged} usd={usd} /></Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        ))}
      </Part>
    </Card>
  );
}

export function OperatorOverviewPage() {
  const today = useUtcDay();
  return (
    <Page title={texts.title} help={texts.help}>
      <Attention />
      <Figures today={today} />
      <div className={classes['two']}><ChartCard today={today} /><UpstreamsCard /></div>
      <CustomersCard today={today} />
    </Page>
  );
}
