import { shell } from '#texts/shell';
import { EmptyState } from '../components/empty-state';
import { ButtonLink } from '../components/link';
import { Page } from '../components/page';

/** Also shown for pages that the person may not know about. */
export function NotFoundPage() {
  return (
    <Page title={shell.notFoundTitle}>
      <EmptyState title={shell.notFound} action={<ButtonLink to="/overview" variant="default">{shell.notFoundAction}</ButtonLink>} />
    </Page>
  );
}
