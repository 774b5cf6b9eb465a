import './styles.css';

export { ArticlesPage } from './articles-page';
