<?php
/**
 * Texts of articles.
 *
 * @package Decola
 */

defined( 'ABSPATH' ) || exit;

/** Makes the text of a post from the HTML of an article. */
class Decola_Content {

	/**
	 * @return string Sanitised text: blocks where the block editor is on, else HTML.
	 * @throws Decola_Refusal When the text is missing or broken.
	 */
	public static function from_base64( string $encoded ): string {
		$html = base64_decode( $encoded, true );
		if ( false === $html || '' === trim( $html ) || ! preg_match( '//u', $html ) ) {
			throw new Decola_Refusal( 400, 'bad_event', __( 'O texto do artigo chegou incompleto.', 'decola' ) );
		}
		// Nobody is logged in here, so WordPress filters by itself; but a plugin may have switched that off.
		$html = wp_kses_post( $html );
		return self::uses_blocks() ? self::to_blocks( $html ) : $html;
	}

	/** @return string A member of an event as one line without tags; empty when it is missing. */
	public static function line( array $data, string $name ): string {
		return isset( $data[ $name ] ) && is_string( $data[ $name ] ) ? self::plain_text( $data[ $name ] ) : '';
	}

	/** Unlike `sanitize_text_field` it keeps percent signs: "100%de desconto" is no encoded letter. */
	public static function plain_text( string $text ): string {
		return trim( (string) preg_replace( '/\s+/u', ' ', wp_strip_all_tags( $text ) ) );
	}

	public static function uses_blocks(): bool {
		if ( ! function_exists( 'use_block_editor_for_post_type' ) ) {
			require_once ABSPATH . 'wp-admin/includes/post.php';
		}
		return use_block_editor_for_post_type( 'post' );
	}

	/** @return string HTML as blocks; what is no block of its own becomes one with HTML. */
	public static function to_blocks( string $html ): string {
		if ( ! class_exists( 'DOMDocument' ) ) {
			return $html;
		}
		$document = new DOMDocument();
		$previous = libxml_use_internal_errors( true );
		$loaded   = $document->loadHTML( '<?xml encoding="utf-8"?><html><body>' . $html . '</body></html>' );
		libxml_clear_errors();
		libxml_use_internal_errors( $previous );
		$body = $loaded ? $document->getElementsByTagName( 'body' )->item( 0 ) : null;
		return $body ? implode( "\n\n", self::blocks_of( $body ) ) : $html;
	}

	/** @return string[] */
	private static function blocks_of( DOMNode $parent ): array {
		$blocks = array();
		$inline = '';
		foreach ( $parent->childNodes as $node ) {
			$block = $node instanceof DOMElement ? self::block_of( $node ) : null;
			if ( null === $block ) {
				$inline .= self::html( $node );
				continue;
			}
			array_push( $blocks, ...self::paragraph_of( $inline ) );
			$inline   = '';
			$blocks[] = $block;
		}
		array_push( $blocks, ...self::paragraph_of( $inline ) );
		return $blocks;
	}

	/** @return string[] Text between elements is a paragraph. */
	private static function paragraph_of( string $inline ): array {
		return '' === trim( $inline ) ? array() : array( self::block( 'paragraph', '', '<p>' . trim( $inline ) . '</p>' ) );
	}

	/** @return string|null Null for text and inline elements. */
	private static function block_of( DOMElement $node ): ?string {
		$name = $node->nodeName;
		switch ( $name ) {
			case 'p':
				return self::plain( $node ) ? self::block( 'paragraph', '', '<p>' . self::inner( $node ) . '</p>' ) : self::as_html( $node );
			case 'h2':
			case 'h3':
			case 'h4':
				return self::heading( $node, (int) substr( $name, 1 ) );
			case 'ul':
			case 'ol':
				return self::list_block( $node );
			case 'blockquote':
				return self::block( 'quote', '', '<blockquote class="wp-block-quote">' . implode( "\n\n", self::blocks_of( $node ) ) . '</blockquote>' );
			case 'pre':
				return self::code( $node );
			case 'hr':
				return self::block( 'separator', '', '<hr class="wp-block-separator has-alpha-channel-opacity"/>' );
			case 'table':
				return self::table( $node, '' );
			case 'figure':
				return self::figure( $node );
			case 'div':
			case 'section':
			case 'dl':
			case 'details':
				return self::as_html( $node );
			default:
				return null;
		}
	}

	private static function heading( DOMElement $node, int $level ): string {
		$class  = self::since( '6.2' ) ? ' class="wp-block-heading"' : '';
		$anchor = $node->hasAttribute( 'id' ) ? ' id="' . esc_attr( $node->getAttribute( 'id' ) ) . '"' : '';
		return self::block( 'heading', 2 === $level ? '' : '{"level":' . $level . '} ', "<h$level$class$anchor>" . self::inner( $node ) . "</h$level>" );
	}

	private static function list_block( DOMElement $node ): string {
		$items = '';
		foreach ( $node->childNodes as $item ) {
			if ( ! $item instanceof DOMElement || 'li' !== $item->nodeName ) {
				continue;
			}
			$text   = '';
			$nested = '';
			foreach ( $item->childNodes as $child ) {
				if ( $child instanceof DOMElement && in_array( $child->nodeName, array( 'ul', 'ol' ), true ) ) {
					$nested .= self::list_block( $child );
				} elseif ( $child instanceof DOMElement && 'p' === $child->nodeName ) {
					// An item holds text, not paragraphs.
					$text .= ( '' === trim( $text ) ? '' : '<br>' ) . self::inner( $child );
				} else {
					$text .= self::html( $child );
				}
			}
			$line   = '<li>' . trim( $text ) . $nested . '</li>';
			$items .= self::since( '6.1' ) ? self::block( 'list-item', '', $line ) : $line;
		}
		$name = $node->nodeName;
		return self::block( 'list', 'ol' === $name ? '{"ordered":true} ' : '', "<$name>$items</$name>" );
	}

	private static function code( DOMElement $node ): string {
		$code = $node->getElementsByTagName( 'code' )->item( 0 );
		return $code
			? self::block( 'code', '', '<pre class="wp-block-code"><code>' . htmlspecialchars( $code->textContent, ENT_NOQUOTES, 'UTF-8' ) . '</code></pre>' )
			: self::block( 'preformatted', '', '<pre class="wp-block-preformatted">' . self::inner( $node ) . '</pre>' );
	}

	private static function table( DOMElement $node, string $caption ): string {
		foreach ( $node->getElementsByTagName( '*' ) as $cell ) {
			if ( ! self::plain( $cell ) && ! in_array( $cell->nodeName, array( 'a', 'img' ), true ) ) {
				return self::as_html( $node );
			}
		}
		// The block knows a table by its sections.
		$rows = self::without_space( self::inner( $node ) );
		$rows = false === strpos( $rows, '<tbody' ) ? "<tbody>$rows</tbody>" : $rows;
		return self::block( 'table', '', "<figure class=\"wp-block-table\"><table>$rows</table>$caption</figure>" );
	}

	private static function figure( DOMElement $node ): string {
		$text    = $node->getElementsByTagName( 'figcaption' )->item( 0 );
		$caption = $text ? '<figcaption' . ( self::since( '6.1' ) ? ' class="wp-element-caption"' : '' ) . '>' . self::inner( $text ) . '</figcaption>' : '';
		$table   = $node->getElementsByTagName( 'table' )->item( 0 );
		$image   = $node->getElementsByTagName( 'img' )->item( 0 );
		if ( $table ) {
			return self::table( $table, $caption );
		}
		if ( ! $image || ! $image->parentNode->isSameNode( $node ) ) {
			return self::as_html( $node );
		}
		$tag = '<img src="' . esc_url( $image->getAttribute( 'src' ) ) . '" alt="' . esc_attr( $image->getAttribute( 'alt' ) ) . '"/>';
		return self::block( 'image', '', "<figure class=\"wp-block-image\">$tag$caption</figure>" );
	}

	private static function as_html( DOMElement $node ): string {
		return self::block( 'html', '', self::html( $node ) );
	}

	private static function block( string $name, string $attributes, string $html ): string {
		return "<!-- wp:$name $attributes-->\n$html\n<!-- /wp:$name -->";
	}

	private static function plain( DOMElement $node ): bool {
		return 0 === $node->attributes->length;
	}

	private static function inner( DOMNode $node ): string {
		$html = '';
		foreach ( $node->childNodes as $child ) {
			$html .= self::html( $child );
		}
		return trim( $html );
	}

	private static function html( DOMNode $node ): string {
		return (string) $node->ownerDocument->saveHTML( $node );
	}

	private static function without_space( string $html ): string {
		return (string) preg_replace( '/>\s+</', '><', $html );
	}

	private static function since( string $version ): bool {
		return version_compare( get_bloginfo( 'version' ), $version, '>=' );
	}
}
