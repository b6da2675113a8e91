import { Button } from '@mantine/core';
import { money, standing } from '#texts/operator-accounts';
import { refusals as texts } from '#texts/refusals';
import { Card } from '../../../components/card';
import { TextLink } from '../../../components/link';
import type { RefusalCause } from '../../../components/refusal-cause';
import { RefusalReasons } from '../../../components/refusal-reasons';
import type { AccountDetail } from './acts/account-data';
import type { OpenAct } from './acts/open-act';

interface RefusalsProps {
  readonly account: AccountDetail;
  readonly onAct: (act: OpenAct) => void;
}

/** Reasons for refusals, each with an act that ends it, or a link to the page about it. */
export function Refusals({ account: { id, refusals: { counts }, email_verified: verified }, onAct }: RefusalsProps) {
  if (counts.length === 0) return null;
  const act = (name: 'credit' | 'plan' | 'verify', label: string) => <Button size="compact-xs" variant="default" onClick={() => onAct({ name })}>{label}</Button>;
  const tab = (name: string, label: string) => <TextLink to="/operator/accounts/$id" params={{ id }} search={{ tab: name }}>{label}</TextLink>;
  const renderAct = (cause: RefusalCause) => {
    switch (cause) {
      case 'balance': return act('credit', money.credit);
      case 'plan': return act('plan', standing.changePlan);
      case 'address': return verified ? null : act('verify', standing.verify);
      case 'keys': return tab('keys', texts.keys);
      case 'limits': return tab('limits', texts.limits);
      case 'standing': return tab('audit', texts.audit);
      case 'models': return <TextLink to="/models">{texts.models}</TextLink>;
      case 'blocks': return <TextLink to="/operator/blocklists">{texts.blocked}</TextLink>;
      case 'upstreams': return <TextLink to="/operator/upstreams">{texts.upstreams}</TextLink>;
      case 'maintenance': return <TextLink to="/operator/incidents">{texts.incidents}</TextLink>;
    }
  };
  return <Card title={texts.title}><RefusalReasons counts={counts} renderAct={renderAct} /></Card>;
}
