<?php
/**
 * Settings of the plugin.
 *
 * @package Decola
 */

defined( 'ABSPATH' ) || exit;

/** What the owner of the site chose. */
class Decola_Settings {

	/** The scheme asks for keys of at least 24 bytes. */
	const TOKEN_BYTES = 24;

	public static function token(): string {
		return (string) get_option( 'decola_token', '' );
	}

	/** Not loaded with every page: only events and this plugin's pages need it. */
	public static function save_token( string $token ): void {
		update_option( 'decola_token', self::normal_token( $token ), false );
	}

	/** Other receivers use the token as `whsec_` with base64: the same bytes. */
	private static function normal_token( string $token ): string {
		$token = trim( $token );
		if ( 0 !== strpos( $token, 'whsec_' ) ) {
			return $token;
		}
		$bytes = base64_decode( substr( $token, 6 ), true );
		return false === $bytes ? $token : $bytes;
	}

	public static function has_short_token(): bool {
		$token = self::token();
		return '' !== $token && strlen( $token ) < self::TOKEN_BYTES;
	}

	/** @return array{author:int,status:string,category:int,create_terms:bool,image:string,pickup:string,address:string} */
	public static function all(): array {
		$saved = get_option( 'decola_settings', array() );
		return self::clean( is_array( $saved ) ? $saved : array() );
	}

	public static function save( array $values ): void {
		update_option( 'decola_settings', self::clean( $values ), false );
	}

	private static function clean( array $values ): array {
		$status = isset( $values['status'] ) ? $values['status'] : 'publish';
		$image  = isset( $values['image'] ) ? $values['image'] : 'optional';
		return array(
			'author'       => isset( $values['author'] ) ? absint( $values['author'] ) : 0,
			'status'       => in_array( $status, array( 'publish', 'draft' ), true ) ? $status : 'publish',
			'category'     => isset( $values['category'] ) ? absint( $values['category'] ) : 0,
			'create_terms' => ! isset( $values['create_terms'] ) || (bool) $values['create_terms'],
			// `optional`: published without the image when it cannot be had; `required`: kept as a draft then; `none`: never used.
			'image'        => in_array( $image, array( 'optional', 'required', 'none' ), true ) ? $image : 'optional',
			// `auto`: articles that cannot be sent are asked for; `never`: this site calls nobody.
			'pickup'       => isset( $values['pickup'] ) && 'never' === $values['pickup'] ? 'never' : 'auto',
			'address'      => isset( $values['address'] ) && is_string( $values['address'] ) ? self::clean_address( $values['address'] ) : '',
		);
	}

	/** @return string Origin of the service: the one that was typed, else the one that the plugin was packed with; empty when there is none. */
	public static function address(): string {
		$typed = self::all()['address'];
		return '' !== $typed ? $typed : self::clean_address( DECOLA_ADDRESS );
	}

	/** @return string Scheme, host and port; empty for what is no address. Only sites on the machine of a developer may use one without https. */
	public static function clean_address( string $address ): string {
		$address = trim( $address );
		$parts   = wp_parse_url( '' === $address || false !== strpos( $address, '://' ) ? $address : 'https://' . $address );
		$schemes = in_array( wp_get_environment_type(), array( 'local', 'development' ), true ) ? array( 'https', 'http' ) : array( 'https' );
		if ( ! is_array( $parts ) || empty( $parts['host'] ) || empty( $parts['scheme'] ) || ! in_array( $parts['scheme'], $schemes, true ) ) {
			return '';
		}
		return esc_url_raw( $parts['scheme'] . '://' . strtolower( $parts['host'] ) . ( isset( $parts['port'] ) ? ':' . $parts['port'] : '' ) );
	}

	/** Whoever sets the plugin up is the author until another one is chosen. */
	public static function adopt_author( int $user_id ): void {
		$settings = self::all();
		if ( 0 === $settings['author'] && self::may_write( $user_id ) ) {
			$settings['author'] = $user_id;
			self::save( $settings );
		}
	}

	public static function may_write( int $user_id ): bool {
		return $user_id > 0 && user_can( $user_id, 'publish_posts' );
	}

	/** @return int The author of new posts; somebody who may publish, also when the chosen one left. */
	public static function author(): int {
		$author = self::all()['author'];
		if ( self::may_write( $author ) ) {
			return $author;
		}
		$authors = self::authors( 1 );
		return $authors ? (int) $authors[0]->ID : 0;
	}

	/** @return WP_User[] */
	public static function authors( int $number = 100 ): array {
		return get_users(
			array(
				'capability' => 'publish_posts',
				'number'     => $number,
				'orderby'    => 'ID',
			)
		);
	}
}
