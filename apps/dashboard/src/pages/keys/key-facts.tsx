import { common } from '#texts/common';
import { keys as texts } from '#texts/keys';
import { Card } from '../../components/card';
import { CopyId } from '../../components/copy-id';
import { Instant } from '../../components/instant';
import { TextLink } from '../../components/link';
import { exactCount } from '../../format/count';
import { KeyStatus, LastUsed } from './key-cells';
import type { Key } from './key-state';
import { ModelLabel } from '../models/model-label';
import facts from '../../components/facts.module.css';

const { detail } = texts;

export function KeyFacts({ apiKey }: { readonly apiKey: Key }) {
  const { id, hint, created_at: createdAt, expires_at: expiresAt, revoked_at: revokedAt, last_used_at: usedAt, models, requests_7_days: requests } = apiKey;
  return (
    <Card title={detail.facts}>
      <dl className={facts['facts']}>
        <dt>{detail.key}</dt><dd className="mono">{hint}</dd>
        <dt>{detail.id}</dt><dd><CopyId id={id} /></dd>
        <dt>{detail.status}</dt><dd><KeyStatus apiKey={apiKey} /></dd>
        <dt>{detail.created}</dt><dd><Instant at={createdAt} /></dd>
        <dt>{detail.expires}</dt><dd>{expiresAt === null ? texts.never : <Instant at={expiresAt} />}</dd>
        {revokedAt !== null && <><dt>{detail.revoked}</dt><dd><Instant at={revokedAt} /></dd></>}
        <dt>{detail.used}</dt><dd><LastUsed at={usedAt} /></dd>
        <dt>{detail.week}</dt><dd>{requests === null ? common.none : <TextLink to="/usage" search={{ key_id: id }}>{exactCount(requests)}</TextLink>}</dd>
        <dt>{detail.models}</dt>
        <dd>{models === null ? texts.form.modelsAll : models.map((model, index) => <span key={model}>{index > 0 && ', '}<TextLink to="/models/$id" params={{ id: model }}><ModelLabel id={model} /></TextLink></span>)}</dd>
      </dl>
    </Card>
  );
}
