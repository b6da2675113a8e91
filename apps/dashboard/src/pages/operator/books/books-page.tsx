import { Page } from '../../../components/page';

export function BooksPage() {
  return <Page title="Books">{null}</Page>;
}
