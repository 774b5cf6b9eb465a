<?php
/**
 * Facts about this site.
 *
 * @package Decola
 */

defined( 'ABSPATH' ) || exit;

/** What the sender may know of this site. */
class Decola_Site {

	/** @return array Members of every answer to a signed event. */
	public static function versions(): array {
		return array(
			'decola' => 1,
			'plugin' => DECOLA_VERSION,
			'wp'     => get_bloginfo( 'version' ),
			'php'    => PHP_VERSION,
		);
	}

	/** @return string Host in lower case, as ASCII, without `www.` and port. */
	public static function normal_host( string $host ): string {
		$host = strtolower( trim( (string) preg_replace( '/:\d+$/', '', $host ), '. ' ) );
		if ( preg_match( '/[^\x20-\x7e]/', $host ) ) {
			$host = self::ascii_host( $host );
		}
		return 0 === strpos( $host, 'www.' ) ? substr( $host, 4 ) : $host;
	}

	private static function ascii_host( string $host ): string {
		foreach ( array( 'WpOrg\Requests\IdnaEncoder', 'Requests_IDNAEncoder' ) as $encoder ) {
			if ( class_exists( $encoder ) ) {
				try {
					return strtolower( $encoder::encode( $host ) );
				} catch ( Exception $error ) {
					return $host;
				}
			}
		}
		return $host;
	}

	public static function host(): string {
		return self::normal_host( (string) wp_parse_url( home_url(), PHP_URL_HOST ) );
	}

	/** @return string By what the sender knows this site: its host, and its port where that is not the scheme's own. */
	public static function key(): string {
		$home = wp_parse_url( home_url() );
		$port = isset( $home['port'] ) ? (int) $home['port'] : 0;
		$own  = isset( $home['scheme'] ) && 'http' === $home['scheme'] ? 80 : 443;
		return self::host() . ( $port && $port !== $own ? ':' . $port : '' );
	}

	/** @return array Answer to a ping: proof and abilities. */
	public static function ping( array $data ): array {
		$challenge = isset( $data['challenge'] ) && is_string( $data['challenge'] ) ? $data['challenge'] : '';
		if ( ! preg_match( '/^[0-9a-f]{64}$/', $challenge ) ) {
			throw new Decola_Refusal( 400, 'bad_event', __( 'O teste veio sem desafio.', 'decola' ) );
		}
		return array(
			'proof' => Decola_Signature::proof( Decola_Settings::token(), $challenge, (string) $data['host'] ),
			'host'  => self::host(),
		) + self::capabilities();
	}

	/** @return array What the sender may know of this site. */
	public static function capabilities(): array {
		$settings = Decola_Settings::all();
		return array(
			'site'        => html_entity_decode( get_bloginfo( 'name' ), ENT_QUOTES, 'UTF-8' ),
			'categories'  => self::categories(),
			'authors'     => self::authors(),
			'seo_plugin'  => Decola_Seo::plugin(),
			'blog_public' => '1' === (string) get_option( 'blog_public' ),
			'publish'     => $settings['status'],
			'image'       => $settings['image'],
			'pickup'      => Decola_Pickup::is_on(),
			'warnings'    => self::warnings(),
		);
	}

	private static function categories(): array {
		$names = get_terms(
			array(
				'taxonomy'   => 'category',
				'hide_empty' => false,
				'fields'     => 'names',
				'number'     => 200,
			)
		);
		return is_array( $names ) ? array_map( array( __CLASS__, 'plain' ), array_values( $names ) ) : array();
	}

	private static function authors(): array {
		$authors = array();
		foreach ( Decola_Settings::authors() as $user ) {
			$authors[] = array(
				'id'   => (int) $user->ID,
				'name' => $user->display_name,
			);
		}
		return $authors;
	}

	/** @return string[] Sentences for the customer. */
	public static function warnings(): array {
		$warnings = array();
		if ( Decola_Settings::has_short_token() ) {
			$warnings[] = __( 'Token curto: gere um novo', 'decola' );
		}
		if ( '1' !== (string) get_option( 'blog_public' ) ) {
			$warnings[] = __( 'O WordPress pede aos buscadores que não mostrem este site (Configurações, Leitura).', 'decola' );
		}
		if ( '' === (string) get_option( 'permalink_structure' ) ) {
			$warnings[] = __( 'Os links permanentes estão no formato simples; o formato "Nome do post" ajuda nos buscadores.', 'decola' );
		}
		if ( 'draft' === Decola_Settings::all()['status'] ) {
			$warnings[] = __( 'Os artigos chegam como rascunho, como foi escolhido no plugin.', 'decola' );
		}
		if ( 0 === Decola_Settings::author() ) {
			$warnings[] = __( 'Nenhum usuário deste site pode publicar artigos.', 'decola' );
		}
		$uploads = wp_upload_dir( null, false );
		if ( ! empty( $uploads['error'] ) || ! wp_is_writable( is_dir( $uploads['path'] ) ? $uploads['path'] : $uploads['basedir'] ) ) {
			$warnings[] = __( 'O WordPress não consegue gravar na pasta de imagens.', 'decola' );
		}
		return $warnings;
	}

	/** @return array Answer to `site.inventory`: published posts, newest first. */
	public static function inventory(): array {
		$posts = get_posts(
			array(
				'post_type'              => 'post',
				'post_status'            => 'publish',
				'numberposts'            => 500,
				'suppress_filters'       => false,
				'update_post_meta_cache' => false,
			)
		);
		$list  = array();
		foreach ( $posts as $post ) {
			$list[] = array(
				'slug'  => $post->post_name,
				'title' => self::plain( $post->post_title ),
				'link'  => get_permalink( $post ),
			);
		}
		return array( 'posts' => $list );
	}

	private static function plain( string $text ): string {
		return html_entity_decode( wp_strip_all_tags( $text ), ENT_QUOTES, 'UTF-8' );
	}
}
