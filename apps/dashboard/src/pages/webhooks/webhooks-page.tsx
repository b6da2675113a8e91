import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { webhooks as texts } from '#texts/webhooks';
import { call } from '../../api/call';
import { keyOf, useRoute } from '../../api/use-route';
import { Card } from '../../components/card';
import { EmptyState } from '../../components/empty-state';
import { TextLink } from '../../components/link';
import { Page } from '../../components/page';
import { Part } from '../../components/part';
import { SecretDialog } from '../../components/secret-dialog';
import { OWNER_SIDE, type Side } from './side';
import { TermsDialog } from './terms-dialog';
import type { IssuedWebhook } from './webhook';
import { bodyOf, EMPTY_FIELDS } from './webhook-form';
import { WebhookRows } from './webhook-rows';

const LIST_HEIGHT = 320;

/** The open dialog; `null` for none. The secret is kept only here. */
type Open = 'create' | IssuedWebhook | null;

export function WebhookList({ side }: { readonly side: Side }) {
  const client = useQueryClient();
  const list = useRoute(side.list, {});
  const [open, setOpen] = useState<Open>(null);
  const creator = useRef<HTMLButtonElement>(null);
  const begin = () => setOpen('create');
  const forget = () => {
    setOpen(null);
    window.requestAnimationFrame(() => creator.current?.focus());
  };
  return (
    <Page title={texts.title} help={texts.help[side.whose]} action={<Button ref={creator} onClick={begin}>{texts.create}</Button>}>
      <Part query={list} height={LIST_HEIGHT}>
        {({ data }) => (data.length === 0
          ? (
            <Card>
              <EmptyState
                title={texts.none} help={<>{texts.noneHelp} <TextLink to="/reference" search={{ surface: 'dashboard' }}>{texts.reference}</TextLink></>}
                action={<Button variant="default" onClick={begin}>{texts.create}</Button>}
              />
            </Card>
          )
          : <WebhookRows webhooks={data} side={side} />)}
      </Part>
      {open === 'create' && (
        <TermsDialog
          title={texts.create} action={texts.create} whose={side.whose} initial={EMPTY_FIELDS} onClose={() => setOpen(null)}
          onSubmit={async (fields) => {
            setOpen(await call(side.create, { body: bodyOf(fields) }));
            void client.invalidateQueries({ queryKey: keyOf(side.list) });
          }}
        />
      )}
      {open !== null && open !== 'create' && <SecretDialog title={texts.issued.created} secret={open.secret} texts={texts.issued} onClose={forget} />}
    </Page>
  );
}

export function WebhooksPage() {
  return <WebhookList side={OWNER_SIDE} />;
}
