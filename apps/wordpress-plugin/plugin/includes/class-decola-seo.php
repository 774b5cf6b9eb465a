<?php
/**
 * SEO data of articles.
 *
 * @package Decola
 */

defined( 'ABSPATH' ) || exit;

/** Hands title, description and keyword to the SEO plugin of the site. */
class Decola_Seo {

	/** Names of post meta by plugin: title, description, keyword. */
	const KEYS = array(
		'yoast'    => array( '_yoast_wpseo_title', '_yoast_wpseo_metadesc', '_yoast_wpseo_focuskw' ),
		'rankmath' => array( 'rank_math_title', 'rank_math_description', 'rank_math_focus_keyword' ),
		'seopress' => array( '_seopress_titles_title', '_seopress_titles_desc', '_seopress_analysis_target_kw' ),
	);

	const AIOSEO = 'AIOSEO\Plugin\Common\Models\Post';

	public static function register(): void {
		add_action( 'wp_head', array( __CLASS__, 'print_description' ), 1 );
	}

	/** @return string|null Short name of the active SEO plugin. */
	public static function plugin(): ?string {
		if ( defined( 'WPSEO_VERSION' ) ) {
			return 'yoast';
		}
		if ( defined( 'RANK_MATH_VERSION' ) ) {
			return 'rankmath';
		}
		if ( defined( 'SEOPRESS_VERSION' ) ) {
			return 'seopress';
		}
		return class_exists( self::AIOSEO ) ? 'aioseo' : null;
	}

	/**
	 * Post meta for `meta_input`. What the owner wrote there since the last delivery is left alone.
	 *
	 * @param int $post_id 0 for a new post.
	 */
	public static function meta( int $post_id, array $texts ): array {
		$meta   = array(
			'_decola_meta_description' => $texts['description'],
			'_decola_seo'              => $texts,
		);
		$plugin = self::plugin();
		if ( null === $plugin || ! isset( self::KEYS[ $plugin ] ) ) {
			return $meta;
		}
		foreach ( array_combine( self::KEYS[ $plugin ], array( 'title', 'description', 'keyword' ) ) as $key => $name ) {
			$current = $post_id ? (string) get_post_meta( $post_id, $key, true ) : '';
			if ( '' !== $texts[ $name ] && self::is_ours( $post_id, $name, $current ) ) {
				$meta[ $key ] = $texts[ $name ];
			}
		}
		return $meta;
	}

	/** All in One SEO keeps its texts in a table of its own. Called before the new texts become the delivered ones. */
	public static function save_elsewhere( int $post_id, array $texts, array $delivered ): void {
		if ( 'aioseo' !== self::plugin() || ! is_callable( array( self::AIOSEO, 'getPost' ) ) ) {
			return;
		}
		try {
			$row = call_user_func( array( self::AIOSEO, 'getPost' ), $post_id );
			foreach ( array( 'title', 'description' ) as $name ) {
				$current = isset( $row->$name ) ? (string) $row->$name : '';
				if ( '' !== $texts[ $name ] && self::was_delivered( $delivered, $name, $current ) ) {
					$row->$name = $texts[ $name ];
				}
			}
			if ( '' !== $texts['keyword'] && empty( $row->keyphrases ) ) {
				$row->keyphrases = wp_json_encode(
					array(
						'focus'      => array(
							'keyphrase' => $texts['keyword'],
							'score'     => 0,
							'analysis'  => new stdClass(),
						),
						'additional' => array(),
					)
				);
			}
			$row->post_id = $post_id;
			$row->save();
		} catch ( Throwable $error ) {
			// The post matters more than the texts of another plugin, whose inside may change.
			Decola_Diary::write( 'seo', '', 0, 'aioseo', __( 'Os dados de SEO não puderam ser gravados no All in One SEO.', 'decola' ) );
		}
	}

	/** @return array What was delivered last: title, description, keyword. */
	public static function delivered( int $post_id ): array {
		$delivered = $post_id ? get_post_meta( $post_id, '_decola_seo', true ) : array();
		return is_array( $delivered ) ? $delivered : array();
	}

	private static function is_ours( int $post_id, string $name, string $current ): bool {
		return self::was_delivered( self::delivered( $post_id ), $name, $current );
	}

	private static function was_delivered( array $delivered, string $name, string $current ): bool {
		return '' === $current || ( isset( $delivered[ $name ] ) && $current === $delivered[ $name ] );
	}

	/** Without a SEO plugin nobody else writes the description of our posts. */
	public static function print_description(): void {
		if ( ! is_singular( 'post' ) || null !== self::plugin() ) {
			return;
		}
		$description = get_post_meta( get_queried_object_id(), '_decola_meta_description', true );
		if ( is_string( $description ) && '' !== $description ) {
			echo '<meta name="description" content="' . esc_attr( $description ) . '" />' . "\n";
		}
	}
}
