import { Button } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { locale } from '#locale';
import { live as texts } from '#texts/live';
import type { LiveAlert } from '../../../api/live';
import { Amount } from '../../../components/amount';
import { Card } from '../../../components/card';
import { EmptyState } from '../../../components/empty-state';
import { Failure } from '../../../components/failure';
import { ButtonLink, TextLink } from '../../../components/link';
import { Note } from '../../../components/note';
import { Page } from '../../../components/page';
import { Status } from '../../../components/status';
import { amountOf } from '../../../format/amount';
import { exactCount } from '../../../format/count';
import { duration } from '../../../format/duration';
import { LiveLine } from './live-line';
import { type LiveState, newestOf, requestsBySecond, sumSeconds } from './live-state';
import { BusiestCard, CodesCard, LatestCard } from './live-tables';
import classes from './live.module.css';
import { useLiveFeed } from './use-live-feed';

const MINUTE = 60_000;
const SMOOTHED_OVER = 10_000;
const TENTHS = 10;

function AlertNote({ alert: { kind, subject } }: { readonly alert: LiveAlert }) {
  const isUpstream = kind === 'circuit-open' || kind === 'upstream-credentials';
  const link = isUpstream ? <TextLink to="/operator/upstreams">{texts.upstreams}</TextLink> : <TextLink to="/operator/books">{texts.books}</TextLink>;
  return <Note kind="warning" action={link}>{texts.alerts[kind](subject ?? '')}</Note>;
}

function Tile({ label, help, children }: { readonly label: string; readonly help: ReactNode; readonly children: ReactNode }) {
  return (
    <Card label={label}>
      <span className={classes['small']}>{label}</span>
      <span className={classes['value']}>{children}</span>
      <span className={classes['small']}>{help}</span>
    </Card>
  );
}

function Tiles({ state, end }: { readonly state: LiveState; readonly end: number }) {
  const { seconds, last } = state;
  const all = sumSeconds(seconds);
  const minute = sumSeconds(seconds.filter(({ time }) => time > end - MINUTE));
  const recent = sumSeconds(seconds.filter(({ time }) => time > end - SMOOTHED_OVER));
  const firstToken = seconds.findLast(({ first_token_ms: times }) => times !== null)?.first_token_ms ?? null;
  return (
    <div className={classes['tiles']}>
      <Tile label={texts.requestsTile} help={texts.peak(all.peak)}>{(Math.round((recent.requests * 1_000 * TENTHS) / SMOOTHED_OVER) / TENTHS).toLocaleString(locale.numbers)}</Tile>
      <Tile label={texts.chargedTile} help={<><Amount value={amountOf(all.charged)} /> {texts.charged15}</>}><Amount value={amountOf(minute.charged)} form="tile" /></Tile>
      <Tile label={texts.firstTokenTile} help={texts.firstTokenHelp(firstToken === null ? '–' : duration(firstToken.p95))}>{firstToken === null ? '–' : duration(firstToken.p50)}</Tile>
      <Tile label={texts.runningTile} help={texts.gateways(last?.gateways ?? 1)}>
        {last?.running === undefined || last.running === null ? '–' : exactCount(last.running)} / {last?.reserved === undefined || last.reserved === null ? '–' : <Amount value={last.reserved} />}
      </Tile>
    </div>
  );
}

export function LivePage() {
  const [paused, setPaused] = useState(false);
  const { state, connection, refusal, retry } = useLiveFeed(paused);
  const end = newestOf(state);
  const sums = sumSeconds(state.seconds);
  const isEmpty = state.last !== null && state.seconds.length === 0;
  return (
    <Page title={texts.title} action={<><Status value={texts.connection[connection]} tone={connection === 'connected' ? 'good' : 'warning'} /><Button variant="default" onClick={() => setPaused(!paused)}>{paused ? texts.resume : texts.pause}</Button></>}>
      <output className={classes['alerts']}>{state.alerts.map((alert) => <AlertNote key={`${alert.kind} ${alert.subject ?? ''}`} alert={alert} />)}</output>
      {refusal !== null && <Failure error={refusal} onRetry={retry} />}
      <Tiles state={state} end={end} />
      {isEmpty
        ? <Card><EmptyState title={texts.empty} help={texts.emptyHelp} action={<ButtonLink to="/playground" variant="default">{texts.tryModel}</ButtonLink>} /></Card>
        : (
          <>
            <Card title={texts.chart}><LiveLine values={requestsBySecond(state.seconds, end)} sentence={texts.chartSentence(sums.requests, sums.peak)} /></Card>
            <div className={classes['two']}><CodesCard sums={sums} /><BusiestCard requests={state.requests} /></div>
            <LatestCard requests={state.requests} skipped={state.skipped} />
          </>
        )}
    </Page>
  );
}
