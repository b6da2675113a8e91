import { Button } from '@mantine/core';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { keys as texts } from '#texts/keys';
import { hasCode } from '../../api/api-error';
import { useRoute } from '../../api/use-route';
import { ButtonLink, TextLink } from '../../components/link';
import { Note } from '../../components/note';
import { Page } from '../../components/page';
import { Part } from '../../components/part';
import { useNarrow } from '../../components/use-narrow';
import { NotFoundPage } from '../../shell/not-found-page';
import type { IssuedKey } from './create-dialog';
import { IssuedDialog } from './issued-dialog';
import { type KeyAct, KeyDialogs } from './key-dialogs';
import { KeyFacts } from './key-facts';
import { KeyMenu } from './key-menu';
import { KeyLimits } from './key-limits';
import { KeySpend } from './key-spend';
import type { Key } from './key-state';
import { PlaygroundKeyPage } from './playground-key-page';
import { useMe } from '../../session/person';
import classes from './keys.module.css';

const FACTS_HEIGHT = 280;
const { detail } = texts;

/** Actions of a key. In narrow windows, all but the link to its requests are in a menu. */
function Actions({ apiKey, onAct }: { readonly apiKey: Key; readonly onAct: (act: KeyAct) => void }) {
  const { id, status } = apiKey;
  const narrow = useNarrow();
  if (narrow) {
    return (
      <div className={classes['actions']}>
        <ButtonLink variant="default" to="/usage" search={{ key_id: id }}>{detail.requests}</ButtonLink>
        {status !== 'revoked' && <KeyMenu apiKey={apiKey} isOwnPage onAct={onAct} />}
      </div>
    );
  }
  return (
    <div className={classes['actions']}>
      <ButtonLink variant="default" to="/usage" search={{ key_id: id }}>{detail.requests}</ButtonLink>
      {status !== 'revoked' && <Button variant="default" onClick={() => onAct('edit')}>{texts.actions.edit}</Button>}
      {status === 'active' && <Button variant="default" onClick={() => onAct('rotate')}>{texts.rotate.action}</Button>}
      {status === 'active' && <Button variant="outline" color="red" onClick={() => onAct('revoke')}>{texts.revoke.action}</Button>}
    </div>
  );
}

function OneKey({ id }: { readonly id: string }) {
  const navigate = useNavigate();
  const query = useRoute('readKey', { params: { id } });
  const [act, setAct] = useState<KeyAct | null>(null);
  const [issued, setIssued] = useState<IssuedKey | null>(null);
  const key = query.data;
  if (hasCode(query.error, 'not_found')) return <NotFoundPage />;
  const forget = (next: string) => {
    setIssued(null);
    void navigate({ to: '/keys/$id', params: { id: next } });
  };
  return (
    <Page title={key === undefined ? texts.keyTitle : key.name ?? texts.unnamed} action={key !== undefined && <Actions apiKey={key} onAct={setAct} />}>
      <div className="in-text"><TextLink to="/keys">{detail.back}</TextLink></div>
      <Part query={query} height={FACTS_HEIGHT}>
        {(one) => (
          <div className={classes['page']}>
            {one.status !== 'active' && <Note kind="warning" action={<TextLink to="/activity">{detail.activity}</TextLink>}>{detail.ended(one.status)}</Note>}
            <div className={classes['two']}>
              <KeyFacts apiKey={one} />
              <KeyLimits apiKey={one} />
            </div>
            <KeyDialogs apiKey={one} act={act} onClose={() => setAct(null)} onIssued={setIssued} />
          </div>
        )}
      </Part>
      <KeySpend id={id} />
      {issued !== null && <IssuedDialog issued={issued} rotated onClose={() => forget(issued.id)} />}
    </Page>
  );
}

/** Keyed by id, so that another key's title takes the focus. */
export function KeyPage() {
  const { id } = useParams({ from: '/shell/keys/$id' });
  const { playground_key_id: playground } = useMe();
  if (id === playground) return <PlaygroundKeyPage id={id} />;
  return <OneKey key={id} id={id} />;
}
