import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { incidents as texts } from '#texts/incidents';
import type { Reply } from '../../../api/call';
import { ServiceNotice } from '../../../shell/banner';
import classes from './incidents.module.css';

const AFTER_TYPING = 300;

interface OwnersPreviewProps<Body> {
  readonly name: string;
  readonly body: Body;
  readonly read: (body: Body, signal: AbortSignal) => Promise<Reply<'previewMaintenance'>>;
}

/** Owners' view of the notice, rendered by the gateway from the form. */
export function OwnersPreview<Body>({ name, body, read }: OwnersPreviewProps<Body>) {
  const [typed] = useDebouncedValue(body, AFTER_TYPING);
  const { data } = useQuery({ queryKey: [name, typed], queryFn: ({ signal }) => read(typed, signal), retry: false, staleTime: 0 });
  const banner = data?.banner ?? null;
  return <div className={classes['preview']}><strong>{texts.preview}</strong>{banner === null ? <span className="muted">–</span> : <ServiceNotice announcement={banner} />}</div>;
}
